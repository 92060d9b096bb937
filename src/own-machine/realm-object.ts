import { hearSocket } from '../realm/polls/poll-events.ts'
import { RealmObject } from '../realm/realm-object.ts'

/** The realm object of a server that can be ended in order. */
export class ServedRealmObject extends RealmObject {
  /** Answers all held polls, and sends the texts that are to go to D1. Whatever is written later waits in the log, as always. */
  async rest(): Promise<void> {
    const { runtime } = this
    if (!runtime) return
    await Promise.all(this.ctx.getWebSockets().map((socket) => hearSocket(runtime, socket, 'beat')))
    await runtime.projector.retry()
  }
}
