package top;
import base.Answer;
import java.util.Scanner;

public class Started {
    public static void main(String[] args) {
        System.out.println(Answer.of(new Scanner(System.in).nextInt()));
    }
}
