/** Milliseconds that the object may take for the heartbeat before the Worker answers alone. */
const BEAT_MS = 5_000

/**
 * Waits for the one message of a poll's socket. After `wait` milliseconds the object is asked for a heartbeat.
 * Undefined when the socket broke, the client has gone, or not even the heartbeat came. In any case socket
 * and timers are gone afterwards.
 */
export function waitOnSocket(
  socket: WebSocket,
  wait: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const timers = [
      setTimeout(() => socket.send('beat'), wait),
      setTimeout(() => end(undefined), wait + BEAT_MS),
    ]
    const leave = () => end(undefined)
    const end = (answer: string | undefined) => {
      for (const timer of timers) clearTimeout(timer)
      signal.removeEventListener('abort', leave)
      try {
        socket.close(1000, 'done')
      } catch {
        // closed already
      }
      resolve(answer)
    }
    socket.addEventListener('message', ({ data }) => end(data as string))
    socket.addEventListener('close', leave)
    socket.addEventListener('error', leave)
    signal.addEventListener('abort', leave)
    socket.accept()
    if (signal.aborted) leave()
  })
}
