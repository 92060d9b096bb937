import { describe, expect, it } from 'vitest'
import { RecentBlock } from '../../src/store/messages/recent-block.ts'

interface Message {
  readonly id: number
  readonly recipientId: number
  readonly topicId: number
  readonly bits: number
}

const SIZE = 512

function messageOf(id: number): Message {
  return { id, recipientId: (id * 7) % 13, topicId: (id * 5) % 31, bits: 0 }
}

describe('a block of remembered messages', () => {
  it('gives those with a key as going through all would, whatever has changed', () => {
    const block = new RecentBlock<Message>(-1)
    let all: Message[] = []
    const compare = () => {
      for (const common of ['recipientId', 'topicId'] as const) {
        for (let key = 0; key < 32; key += 1) {
          const expected = all.filter((message) => message[common] === key).reverse()
          expect(block.newestOf(common, key)).toEqual(expected)
        }
      }
    }
    for (let id = 0; id < SIZE; id += 64) {
      const added = Array.from({ length: 64 }, (_, at) => messageOf(id + at))
      block.add(added, id + 63)
      all.push(...added)
      compare()
      block.change(id + 3, { bits: 8 })
      all = all.map((message) => (message.id === id + 3 ? { ...message, bits: 8 } : message))
      compare()
      block.remove(new Set([id + 5, id + 6]))
      all = all.filter((message) => message.id !== id + 5 && message.id !== id + 6)
      compare()
    }
  })

  it('looks at few messages for each of thousands of keys', () => {
    let reads = 0
    const block = new RecentBlock<Message>(-1)
    const counted = Array.from({ length: SIZE }, (_, id) => ({
      ...messageOf(id),
      get recipientId() {
        reads += 1
        return id % 100
      },
    }))
    block.add(counted, SIZE - 1)
    for (let key = 0; key < 5_000; key += 1) block.newestOf('recipientId', key)
    // Going through all would read 2,560,000.
    expect(reads).toBeLessThan(100_000)
  })
})
