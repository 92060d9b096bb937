/** Facts that messages of a channel, conversation or topic have in common. */
export type CommonKey = 'recipientId' | 'topicId'

type Ordered = { readonly id: number } & Readonly<Record<CommonKey, number>>

/** Messages of one block of ids, ascending, complete up to an id. */
export class RecentBlock<Message extends Ordered> {
  /** All messages of the block up to this id are here. */
  upTo: number
  #messages: Message[] = []
  /** Positions of the messages in the order of what they have in common, and of their ids. */
  #orders: Partial<Record<CommonKey, Uint16Array>> = {}
  /** Whether messages with a key have been asked for since the block changed. */
  #isAsked = false

  constructor(upTo: number) {
    this.upTo = upTo
  }

  get messages(): readonly Message[] {
    return this.#messages
  }

  /** Adds the next messages. `upTo`: the block has all up to there now. */
  add(messages: readonly Message[], upTo: number): void {
    for (const message of messages) this.#messages.push(message)
    this.upTo = upTo
    this.#forgetOrders()
  }

  /** Changes a message that is here. Its keys stay. */
  change(id: number, change: Omit<Partial<Message>, keyof Ordered>): void {
    const at = this.#messages.findIndex((message) => message.id === id)
    if (at >= 0) this.#messages[at] = { ...this.#messages[at]!, ...change }
  }

  remove(ids: ReadonlySet<number>): void {
    this.#messages = this.#messages.filter(({ id }) => !ids.has(id))
    this.#forgetOrders()
  }

  /**
   * Returns the messages with this key, newest first. An order is made when a second one is asked for: a narrow may ask for thousands, while
   * the newest block changes with each message.
   */
  newestOf(common: CommonKey, key: number): Message[] {
    const messages = this.#messages
    if (!this.#isAsked) {
      this.#isAsked = true
      return messages.filter((message) => message[common] === key).reverse()
    }
    const order = this.#orders[common] ?? orderOf(messages, common)
    this.#orders[common] = order
    const found: Message[] = []
    for (let at = endOf(order, (position) => messages[position]![common] <= key) - 1; at >= 0; at -= 1) {
      const message = messages[order[at]!]!
      if (message[common] !== key) break
      found.push(message)
    }
    return found
  }

  #forgetOrders(): void {
    this.#orders = {}
    this.#isAsked = false
  }
}

function orderOf(messages: readonly Ordered[], common: CommonKey): Uint16Array {
  const order = Uint16Array.from(messages.keys())
  return order.sort((a, b) => messages[a]![common] - messages[b]![common] || a - b)
}

/** Returns how many of the positions, which are in order, come before the end of those that pass. */
function endOf(order: Uint16Array, passes: (position: number) => boolean): number {
  let [low, high] = [0, order.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (passes(order[middle]!)) low = middle + 1
    else high = middle
  }
  return low
}
