public class reads_and_doubles_AC {
    public static void main(String[] arguments) {
        System.out.println(2 * new java.util.Scanner(System.in).nextLong());
    }
}
