import java.util.Scanner;

public class Off {
    public static void main(String[] args) {
        int n = new Scanner(System.in).nextInt();
        System.out.println("0 " + (n < 10 ? n : n + 1));
    }
}
