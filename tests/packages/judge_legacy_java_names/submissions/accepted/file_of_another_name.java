import java.util.Scanner;

public class Main {
    public static void main(String[] args) {
        System.out.println(twice(new Scanner(System.in).nextInt()));
    }
    static int twice(int x) { return 2 * x; }
}
