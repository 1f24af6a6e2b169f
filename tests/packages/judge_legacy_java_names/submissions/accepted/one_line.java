import java.util.*; final public class Answer { public static void main(String[] a) { System.out.println(2 * new Scanner(System.in).nextInt()); } }
