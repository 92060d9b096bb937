interface Codec {
  readonly memory: WebAssembly.Memory
}

/** Memory that an idle codec may have, since a codec never gives memory back. */
const MAX_IDLE_BYTES = 24_000_000

/**
 * Keeps a codec for the next picture, unless it has grown for a large one or has failed: its user must give
 * it back.
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
    if (codec.memory.buffer.byteLength <= MAX_IDLE_BYTES) this.#idle = codec
  }
}
