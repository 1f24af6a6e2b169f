public class syntax_error_CE { void main( }
