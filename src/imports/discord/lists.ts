import type { Known } from '../known.ts'

/** Ids in one value of the store. Each has at most 60 characters. */
const TOGETHER = 500

/** Sets of ids in the order in which they were added. They are stored, and grow over all units. */
export class Lists {
  private readonly known: Known

  constructor(known: Known) {
    this.known = known
  }

  /** Whether this unit has looked up the id, and it is in the list. */
  hasSeen(list: string, id: string): boolean {
    return this.known.seen('listed', `${list}\n${id}`) !== undefined
  }

  /** Returns whether the id is new. */
  async add(list: string, id: string): Promise<boolean> {
    if (id === '' || id.length > 60) return false
    const key = `${list}\n${id}`
    if ((await this.known.get('listed', key)) !== undefined) return false
    await this.known.put('listed', key, '')
    const count = Number((await this.known.get('list', list)) ?? '0')
    const part = `${list}\n${Math.floor(count / TOGETHER)}`
    const before = count % TOGETHER === 0 ? '' : `${await this.known.get('list', part)}\n`
    await this.known.put('list', part, before + id)
    await this.known.put('list', list, String(count + 1))
    return true
  }

  async all(list: string): Promise<string[]> {
    const count = Number((await this.known.get('list', list)) ?? '0')
    const ids: string[] = []
    for (let part = 0; part * TOGETHER < count; part += 1) {
      ids.push(...((await this.known.get('list', `${list}\n${part}`)) ?? '').split('\n'))
    }
    return ids
  }
}
