import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Runs a Java program on many inputs in one virtual machine, since starting one takes longer than most small runs.
 *
 * <p>Arguments: the folder of the compiled classes, the class to start. Descriptor 0 is a stream socket to the harness;
 * batches.py is its other end and documents the frames. The classes are loaded anew for each run, so that no static
 * value of an earlier run is left. A run that does not end, or leaves a thread, ends this server after the reply. A
 * program's calls of {@code System.exit} are led to {@link Exit}, since they would end the server. The replies are never
 * trusted: every failure that a search finds is confirmed by a plain run.
 */
public final class HarnessServer {
    private static final int NONE = 0, CPU = 1, WALL = 2, OUTPUT = 3; // why a run was stopped, see batches.py
    private static final int LAST = 256; // added to that: the server ends after this reply
    private static final int ORDER_BYTES = 20, REPLY_BYTES = 40, ERROR_CAP = 2000, MOST_ERRORS = 1 << 20, SIGKILL = 9;
    private static final int BUFFER_BYTES = 8192; // of System.in and System.out, as in the virtual machine itself
    private static final long LOOK_MS = 50, WINDOW_NS = 1_000_000_000, TICKS_NS = 100_000_000;
    private static final int POOL = 8, MOST_CONSTANTS = 65_000; // where a class file counts its constants
    private static final int TEXT = 1, LONG = 5, DOUBLE = 6, CLASS = 7, METHOD = 10; // tags of constants
    private static final int[] CONSTANT_BYTES = {0, 0, 0, 4, 4, 8, 8, 2, 2, 4, 4, 4, 4, 0, 0, 3, 2, 4, 4, 2, 2}; // by tag
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private static volatile Run running;

    public static void main(String[] settings) throws IOException, InterruptedException, ReflectiveOperationException {
        Map<String, byte[]> classes = classesIn(Path.of(settings[0]));
        String name = settings[1];
        if (!Modifier.isStatic(mainOf(new Loader(classes), name).getModifiers())) return;
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
            running = run;
            replies.write(run.replyAfter(new Loader(classes), name, arguments, cpuMs, wallMs));
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
                    byte[] code = withoutExits(Files.readAllBytes(path));
                    classes.put(name.substring(0, name.length() - 6).replace('/', '.'), code);
                }
            }
        }
        return classes;
    }

    /** The class with calls of {@link Exit#exit} in place of those of System.exit: the JVM specification, section 4.4. */
    private static byte[] withoutExits(byte[] code) throws IOException {
        ByteBuffer in = ByteBuffer.wrap(code);
        int count = Short.toUnsignedInt(in.getShort(POOL));
        if (count > MOST_CONSTANTS) return code;
        int[] places = new int[count]; // of each constant's tag
        String[] texts = new String[count];
        in.position(POOL + 2);
        for (int number = 1; number < count; number++) {
            places[number] = in.position();
            int tag = in.get();
            int start = in.position();
            int length = tag == TEXT ? 2 + Short.toUnsignedInt(in.getShort(start)) : CONSTANT_BYTES[tag];
            if (tag == TEXT) texts[number] = new String(code, start + 2, length - 2, StandardCharsets.UTF_8);
            in.position(start + length);
            if (tag == LONG || tag == DOUBLE) number++; // these take two numbers
        }
        int end = in.position();
        boolean exits = false;
        for (int number = 1; number < count; number++) {
            int place = places[number];
            if (place == 0 || code[place] != METHOD) continue;
            int owner = places[Short.toUnsignedInt(in.getShort(place + 1))];
            int called = places[Short.toUnsignedInt(in.getShort(place + 3))];
            if (!"java/lang/System".equals(texts[Short.toUnsignedInt(in.getShort(owner + 1))])) continue;
            if (!"exit".equals(texts[Short.toUnsignedInt(in.getShort(called + 1))])) continue;
            in.putShort(place + 1, (short) (count + 1));
            exits = true;
        }
        if (!exits) return code;
        in.putShort(POOL, (short) (count + 2));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(code, 0, end);
        DataOutputStream added = new DataOutputStream(out);
        added.writeByte(TEXT);
        added.writeUTF(Exit.class.getName());
        added.writeByte(CLASS);
        added.writeShort(count);
        out.write(code, end, code.length - end);
        return out.toByteArray();
    }

    private static Method mainOf(Loader loader, String name) throws ReflectiveOperationException {
        return loader.loadClass(name).getMethod("main", String[].class);
    }

    /** The arguments of a run. The folder to work in, which comes before them, cannot be entered from Java. */
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
            if (name.equals(Exit.class.getName())) return Exit.class;
            byte[] code = classes.get(name);
            if (code == null) throw new ClassNotFoundException(name);
            return defineClass(name, code, 0, code.length);
        }
    }

    /** Thrown in a program in place of System.exit; it ends the run. */
    public static final class Exit extends Error {
        private static final long serialVersionUID = 1;

        private Exit() {
            super(null, null, false, false);
        }

        /**
         * Called by programs. What they print from now on is lost. While other threads run, it waits: the server ends
         * soon.
         */
        public static void exit(int code) {
            Run run = running;
            if (!run.threads.parentOf(Thread.currentThread().getThreadGroup())) Runtime.getRuntime().halt(code);
            if (!run.hasExited) run.exitCode = code;
            run.hasExited = true;
            run.output.close();
            run.errors.close();
            while (run.threads.activeCount() > 1) LockSupport.parkNanos(LOOK_MS * 1_000_000);
            throw new Exit();
        }
    }

    /** Keeps the first bytes that are written. */
    private static final class Capped extends OutputStream {
        private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
        private final long cap;
        private volatile boolean isOver, isClosed;

        Capped(long cap) {
            this.cap = cap;
        }

        @Override
        public synchronized void write(int value) {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public synchronized void write(byte[] bytes, int start, int count) {
            if (isClosed) return;
            int fitting = (int) Math.min(count, cap - kept.size());
            kept.write(bytes, start, fitting);
            isOver = isOver || fitting < count;
        }

        @Override
        public synchronized void close() {
            isClosed = true;
        }

        synchronized byte[] bytes() {
            return kept.toByteArray();
        }
    }

    private static final class Run {
        private final ThreadGroup threads = new ThreadGroup("main") {
            @Override
            public void uncaughtException(Thread thread, Throwable thrown) {
                if (!(thrown instanceof Exit)) super.uncaughtException(thread, thrown);
            }
        };
        private final Capped output, errors = new Capped(MOST_ERRORS);
        private final long startedNs = System.nanoTime(), startedCpuNs = SYSTEM.getProcessCpuTime();
        private long windowNs = startedNs, windowCpuNs = startedCpuNs, asleepNs;
        private volatile int exitCode;
        private volatile boolean hasExited;
        private volatile long mainCpuNs;
        boolean isLast;

        Run(ByteArrayInputStream input, long outputCap) {
            output = new Capped(outputCap);
            System.setIn(new BufferedInputStream(input, BUFFER_BYTES));
            System.setOut(new PrintStream(new BufferedOutputStream(output, BUFFER_BYTES), true));
            System.setErr(new PrintStream(new BufferedOutputStream(errors, BUFFER_BYTES), true));
        }

        /** Runs the program; returns the reply. */
        byte[] replyAfter(Loader loader, String name, String[] arguments, long cpuMs, long wallMs)
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
                    .putLong(usedNs() / 1000).putLong(0).putLong(0)
                    .putInt(out.length).putInt(err.length).put(out).put(err).array();
        }

        private void start(Loader loader, String name, String[] arguments) {
            try {
                Method method = mainOf(loader, name);
                method.setAccessible(true); // the class itself need not be public
                method.invoke(null, (Object) arguments);
            } catch (InvocationTargetException thrown) {
                end(thrown.getCause());
            } catch (Throwable thrown) {
                end(thrown);
            } finally {
                mainCpuNs = THREADS.getCurrentThreadCpuTime();
            }
        }

        /** The CPU time so far; that of the whole process comes in ticks of 10 ms, too coarse for a short run. */
        private long usedNs() {
            long processNs = SYSTEM.getProcessCpuTime() - startedCpuNs;
            return processNs < TICKS_NS && mainCpuNs > 0 ? mainCpuNs : processNs;
        }

        /** Ends the run as the virtual machine ends a program whose main method throws. */
        private void end(Throwable thrown) {
            if (hasExited) return;
            exitCode = 1;
            StackTraceElement[] calls = thrown.getStackTrace();
            thrown.setStackTrace(Stream.of(calls)
                    .takeWhile(call -> !call.getClassName().startsWith("jdk.internal.reflect."))
                    .toArray(StackTraceElement[]::new));
            System.err.print("Exception in thread \"main\" ");
            thrown.printStackTrace();
        }

        /** Waits until all threads except daemons have ended; returns why the run must be stopped, else NONE. */
        private int waitFor(Thread main, long cpuNs, long wallNs) throws InterruptedException {
            for (Thread next = main; next != null; next = next.isAlive() ? next : anyAlive()) {
                next.join(LOOK_MS);
                if (output.isOver) return OUTPUT;
                if (usedNs() > cpuNs) return CPU;
                if (isAsleepFor(wallNs)) return WALL;
                if (hasExited) return NONE; // though other threads may run
            }
            return NONE;
        }

        private Thread anyAlive() {
            Thread[] alive = new Thread[threads.activeCount() + 8];
            threads.enumerate(alive);
            return Stream.of(alive).filter(thread -> thread != null && !thread.isDaemon()).findFirst().orElse(null);
        }

        /** Returns whether the run slept longer than the limit: only windows with hardly any CPU time count as sleep. */
        private boolean isAsleepFor(long limitNs) {
            long nowNs = System.nanoTime(), cpuNs = SYSTEM.getProcessCpuTime();
            if (nowNs - windowNs < WINDOW_NS) return false;
            if ((cpuNs - windowCpuNs) * 100 < nowNs - windowNs) asleepNs += nowNs - windowNs;
            windowNs = nowNs;
            windowCpuNs = cpuNs;
            return asleepNs > limitNs || nowNs - startedNs > 10 * limitNs;
        }
    }
}
