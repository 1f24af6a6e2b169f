public class Main { public static void main(String[] a) { for (int i = 0; i >= 0 || i < 0; i++) { } } }
