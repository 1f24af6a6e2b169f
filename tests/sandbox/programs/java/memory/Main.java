public class Main {
    public static void main(String[] a) {
        byte[] p = new byte[100 << 20];
        java.util.Arrays.fill(p, (byte) 1);
        System.out.println(p[12345]);
    }
}
