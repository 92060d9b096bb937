import { beforeEach, describe, expect, it, vi } from 'vitest'
import { DrawnRows } from '../../web/views/conversation/drawn-rows.ts'
import type { Row } from '../../web/views/conversation/row.ts'

const message = (id: number): Row => ({ kind: 'message', key: `${id}`, id, begins: true, isFound: false })
const messages = (count: number, from = 1) => Array.from({ length: count }, (_, at) => message(from + at))
const day: Row = { kind: 'day', key: 'day', seconds: 0 }
const END = -1

let drawn: DrawnRows
beforeEach(() => {
  vi.stubGlobal('innerHeight', 950)
  drawn = new DrawnRows()
})

function nextFrame(rows: readonly Row[], goal = END): [from: number, to: number] {
  drawn.beginFrame()
  drawn.advance(rows, goal)
  return [drawn.from, drawn.to]
}

describe('the rows of a list', () => {
  it('are a screenful at its end when it opens', () => {
    drawn.advance(messages(300), END)
    // Rows of 40 px below a head and a box of 150.
    expect([drawn.from, drawn.to]).toEqual([280, 300])
  })

  it('are a screenful around the message at which it opens', () => {
    drawn.advance(messages(300), 100)
    expect(drawn.from).toBe(93)
    expect(drawn.to).toBe(113)
  })

  it('come with each frame, until all are there', () => {
    const rows = messages(300)
    drawn.advance(rows, 100)
    expect(nextFrame(rows, 100)).toEqual([53, 153])
    expect(nextFrame(rows, 100)).toEqual([13, 193])
    while (!drawn.isWhole) nextFrame(rows, 100)
    expect([drawn.from, drawn.to]).toEqual([0, 300])
  })

  it('do not come without a frame of their own', () => {
    const rows = messages(300)
    drawn.advance(rows, END)
    drawn.advance(rows, END)
    expect(drawn.from).toBe(280)
  })

  it('come in smaller steps after a slow frame, and in larger ones after fast frames', () => {
    const rows = messages(300)
    drawn.advance(rows, END)
    drawn.noteCost(100)
    expect(nextFrame(rows)).toEqual([260, 300])
    drawn.noteCost(100)
    expect(nextFrame(rows)).toEqual([250, 300])
    drawn.noteCost(1)
    drawn.noteCost(1)
    expect(nextFrame(rows)).toEqual([210, 300])
  })

  it('are there at once when few have come', () => {
    drawn.advance(messages(20), END)
    expect(drawn.isWhole).toBe(true)
    drawn.advance(messages(23), END)
    expect(drawn.isWhole).toBe(true)
  })

  it('stay where they are when older ones come above them', () => {
    const rows = messages(100, 101)
    drawn.advance(rows, END)
    while (!drawn.isWhole) nextFrame(rows)
    drawn.advance(messages(200), END)
    expect([drawn.from, drawn.to]).toEqual([100, 200])
  })

  it('begin with the line of a day, never after it', () => {
    const rows = [...messages(50), day, ...messages(20, 51)]
    drawn.advance(rows, END)
    expect(rows[drawn.from]).toBe(day)
  })

  it('begin anew where the list is to open elsewhere', () => {
    const rows = messages(300)
    drawn.advance(rows, END)
    expect(drawn.has(100, rows.length)).toBe(false)
    drawn.reset()
    drawn.advance(rows, 100)
    expect(drawn.has(100, rows.length)).toBe(true)
  })
})
