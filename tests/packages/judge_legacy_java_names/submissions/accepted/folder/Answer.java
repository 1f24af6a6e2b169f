package base;
public class Answer {
    public static int of(int x) { return 2 * x; }
}
