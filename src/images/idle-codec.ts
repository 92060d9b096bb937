interface Codec {
  readonly memory: WebAssembly.Memory
}

/** A codec keeps what memory it has ever taken. So much may stay. */
const MOST_IDLE_BYTES = 24_000_000

/**
 * Keeps a codec for the next picture, but not one that has grown for a large one, and not one that broke off:
 * who takes it must give it back.
 */
export class IdleCodec<Started extends Codec> {
  readonly #start: () => Started
  #idle: Started | undefined

  constructor(start: () => Started) {
    this.#start = start
  }

  take(): Started {
    const codec = this.#idle ?? this.#start()
    this.#idle = undefined
    return codec
  }

  giveBack(codec: Started): void {
    if (codec.memory.buffer.byteLength <= MOST_IDLE_BYTES) this.#idle = codec
  }
}
