import { NotPreparedError, type Pause } from '../core/realm-transaction.ts'

/** Thrown by `use` when the turn's meter is spent: the change is rolled back, the reader goes on in turns of its own, and the change runs again. */
export class Suspended extends NotPreparedError {
  constructor(finish: (pause: Pause) => Promise<void>) {
    super(finish)
    this.name = 'Suspended'
  }
}
