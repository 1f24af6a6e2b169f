import com.sun.management.OperatingSystemMXBean;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Runs a Java program on many inputs in one virtual machine, since starting one takes longer than most small runs.
 *
 * <p>Arguments: the folder of the compiled classes, the class to start. Descriptor 0 is a stream socket to the harness;
 * batches.py is its other end and documents the frames. Each run has the classes loaded anew, so that no static value
 * of an earlier run is left. What cannot be undone (a run that does not end, a thread that it leaves) ends this server
 * after the reply. What a run tells is never more than a hint, for every find is confirmed by a plain run.
 */
public final class HarnessServer {
    private static final int NONE = 0, CPU = 1, WALL = 2, OUTPUT = 3, LAST = 256; // reasons of a kill, see batches.py
    private static final int ORDER_BYTES = 20, REPLY_BYTES = 40, ERROR_CAP = 2000, MOST_ERRORS = 1 << 20, SIGKILL = 9;
    private static final long LOOK_MS = 50;
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    public static void main(String[] words) throws IOException, InterruptedException {
        Map<String, byte[]> classes = classesIn(Path.of(words[0]));
        FileOutputStream replies = new FileOutputStream(FileDescriptor.in); // the socket takes both directions
        replies.write("ready\n".getBytes(StandardCharsets.US_ASCII));
        DataInputStream orders = new DataInputStream(new FileInputStream(FileDescriptor.in));
        while (true) {
            byte[] head = orders.readNBytes(ORDER_BYTES);
            if (head.length < ORDER_BYTES) return;
            ByteBuffer order = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
            int argumentBytes = order.getInt(), inputBytes = order.getInt();
            long outputCap = Integer.toUnsignedLong(order.getInt());
            long cpuMs = Integer.toUnsignedLong(order.getInt()), wallMs = Integer.toUnsignedLong(order.getInt());
            String[] arguments = arguments(orders.readNBytes(argumentBytes));
            Run run = new Run(new ByteArrayInputStream(orders.readNBytes(inputBytes)), outputCap);
            replies.write(run.replyOf(new Loader(classes), words[1], arguments, cpuMs, wallMs));
            if (run.isLast) Runtime.getRuntime().halt(0);
        }
    }

    /** The class files by the names of their classes. */
    private static Map<String, byte[]> classesIn(Path folder) throws IOException {
        Map<String, byte[]> classes = new HashMap<>();
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : (Iterable<Path>) paths.filter(Files::isRegularFile)::iterator) {
                String name = folder.relativize(path).toString();
                if (name.endsWith(".class")) {
                    classes.put(name.substring(0, name.length() - 6).replace('/', '.'), Files.readAllBytes(path));
                }
            }
        }
        return classes;
    }

    /** The arguments of a run; before them comes the folder to work in, which only native programs can enter. */
    private static String[] arguments(byte[] words) {
        String[] split = new String(words, StandardCharsets.UTF_8).split("\0", -1);
        return Arrays.copyOfRange(split, 1, split.length - 1);
    }

    private static final class Loader extends ClassLoader {
        private final Map<String, byte[]> classes;

        Loader(Map<String, byte[]> classes) {
            super(ClassLoader.getPlatformClassLoader());
            this.classes = classes;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] code = classes.get(name);
            if (code == null) throw new ClassNotFoundException(name);
            return defineClass(name, code, 0, code.length);
        }
    }

    /** Keeps the first bytes that are written. */
    private static final class Capped extends OutputStream {
        private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
        private final long cap;
        private volatile boolean isOver;

        Capped(long cap) {
            this.cap = cap;
        }

        @Override
        public synchronized void write(int value) {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public synchronized void write(byte[] bytes, int start, int count) {
            int fitting = (int) Math.min(count, cap - kept.size());
            kept.write(bytes, start, fitting);
            isOver = isOver || fitting < count;
        }

        synchronized byte[] bytes() {
            return kept.toByteArray();
        }
    }

    private static final class Run {
        private final ThreadGroup threads = new ThreadGroup("main");
        private final Capped output, errors = new Capped(MOST_ERRORS);
        private final long startedNs = System.nanoTime(), startedCpuNs = SYSTEM.getProcessCpuTime();
        private long lookedNs = startedNs, lookedCpuNs = startedCpuNs, asleepNs;
        private volatile int exitCode;
        boolean isLast;

        Run(ByteArrayInputStream input, long outputCap) {
            output = new Capped(outputCap);
            System.setIn(input);
            System.setOut(new PrintStream(output, true));
            System.setErr(new PrintStream(errors, true));
        }

        byte[] replyOf(Loader loader, String name, String[] arguments, long cpuMs, long wallMs)
                throws InterruptedException {
            Thread main = new Thread(threads, () -> start(loader, name, arguments), "main");
            main.setContextClassLoader(loader);
            main.start();
            int killed = waitFor(main, cpuMs * 1_000_000, wallMs * 1_000_000);
            isLast = killed != NONE || threads.activeCount() > 0;
            byte[] out = output.bytes(), all = errors.bytes();
            byte[] err = Arrays.copyOfRange(all, Math.max(0, all.length - ERROR_CAP), all.length);
            return ByteBuffer.allocate(REPLY_BYTES + out.length + err.length).order(ByteOrder.LITTLE_ENDIAN)
                    .putInt(killed != NONE ? SIGKILL : exitCode << 8).putInt(killed | (isLast ? LAST : 0))
                    .putLong((SYSTEM.getProcessCpuTime() - startedCpuNs) / 1000).putLong(0).putLong(0)
                    .putInt(out.length).putInt(err.length).put(out).put(err).array();
        }

        private void start(Loader loader, String name, String[] arguments) {
            try {
                Method method = loader.loadClass(name).getMethod("main", String[].class);
                method.setAccessible(true);
                method.invoke(null, (Object) arguments);
            } catch (InvocationTargetException thrown) {
                end(thrown.getCause());
            } catch (Throwable thrown) {
                end(thrown);
            }
        }

        /** Ends the run as the virtual machine ends a program whose main method throws. */
        private void end(Throwable thrown) {
            exitCode = 1;
            StackTraceElement[] calls = thrown.getStackTrace();
            thrown.setStackTrace(Stream.of(calls)
                    .takeWhile(call -> !call.getClassName().startsWith("jdk.internal.reflect."))
                    .toArray(StackTraceElement[]::new));
            System.err.print("Exception in thread \"main\" ");
            thrown.printStackTrace();
        }

        /** Waits until all threads have ended but daemons; returns why the run must be stopped before. */
        private int waitFor(Thread main, long cpuNs, long wallNs) throws InterruptedException {
            for (Thread next = main; next != null; next = next.isAlive() ? next : running()) {
                next.join(LOOK_MS);
                if (output.isOver) return OUTPUT;
                if (SYSTEM.getProcessCpuTime() - startedCpuNs > cpuNs) return CPU;
                if (isAsleepFor(wallNs)) return WALL;
            }
            return NONE;
        }

        private Thread running() {
            Thread[] found = new Thread[threads.activeCount() + 8];
            List<Thread> alive = new ArrayList<>(Arrays.asList(found).subList(0, threads.enumerate(found)));
            alive.removeIf(Thread::isDaemon);
            return alive.isEmpty() ? null : alive.get(0);
        }

        /** As in the other servers, time counts only between two looks in which hardly any CPU time was used. */
        private boolean isAsleepFor(long limitNs) {
            long nowNs = System.nanoTime(), cpuNs = SYSTEM.getProcessCpuTime();
            if ((cpuNs - lookedCpuNs) * 100 < nowNs - lookedNs) asleepNs += nowNs - lookedNs;
            lookedNs = nowNs;
            lookedCpuNs = cpuNs;
            return asleepNs > limitNs || nowNs - startedNs > 10 * limitNs;
        }
    }
}
