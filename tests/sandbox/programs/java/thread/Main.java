public class Main {
    public static void main(String[] a) throws Exception {
        int[] x = {0};
        Thread t = new Thread(() -> x[0] = 42);
        t.start();
        t.join();
        System.out.println(x[0]);
    }
}
