import java.util.Scanner;

public class Guess {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int low = 0, high = 1000;
        for (String said = ""; !said.equals("=");) {
            int middle = (low + high) / 2;
            System.out.println(middle);
            System.out.flush();
            said = in.next();
            if (said.equals("<")) high = middle - 1;
            if (said.equals(">")) low = middle + 1;
        }
    }
}
