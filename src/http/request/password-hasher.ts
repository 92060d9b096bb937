import { retryLater } from '../../core/errors.ts'
import type { PasswordHasher } from '../../core/password-hasher.ts'
import { ownerOfRequest } from '../../core/request-record.ts'
import { whenReachable } from './call-realm.ts'
import { type Environment, objectNamed, type Whereabouts } from './environment.ts'

/** Number of objects that hash in each place. All work of an owner is done by the same one, where owners have equal shares. */
const HASHERS = 8

/** Returns what hashes the passwords of an organization, in its jurisdiction and near its object. */
export function passwordHasher({ HASHER }: Pick<Environment, 'HASHER'>, where: Whereabouts): PasswordHasher {
  const owner = ownerOfRequest()
  const name = `hasher-${where.location ?? 'anywhere'}-${numberOfOwner(owner) % HASHERS}`
  const object = () => objectNamed(HASHER, name, where)
  const reserved = async () => granted(await object().reserve(owner))
  return {
    hash: async (password) => whenReachable(true, async () => granted(await object().hash(owner, password))),
    async reserve() {
      let place: Awaited<ReturnType<typeof reserved>> | undefined = await whenReachable(true, reserved)
      /** Works in the place, or in a new one where an object has left memory with the place. */
      const inPlace = <Answer>(work: (at: typeof place & {}) => Promise<Answer>) =>
        whenReachable(true, async () => {
          const at = place ?? (await reserved())
          place = undefined
          const answer = await work(at)
          place = at
          return answer
        })
      return {
        hash: (password) => inPlace(async (at) => at.hash(password)),
        verify: (password, stored) => inPlace(async (at) => at.verify(password, stored)),
        leave: () => place?.[Symbol.dispose](),
      }
    },
  }
}

/** @throws ServiceUnavailableError (503) for null, the answer of an object where too much work waits */
function granted<Answer>(answer: Answer | null): Answer {
  if (answer === null) throw retryLater()
  return answer
}

/** Returns a number by which all work of an owner goes to the same object. */
export function numberOfOwner(text: string): number {
  return [...text].reduce((number, character) => (31 * number + character.codePointAt(0)!) >>> 0, 0)
}
