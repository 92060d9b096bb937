import { describe, expect, it } from 'vitest'
import { noteOfReminder } from '../../web/state/reminders.ts'

const FIRST = 'You requested a reminder for the following message.'
const REST = '\n\n@_**Ben|5** [said](https://chat.example.com/#narrow/near/7) in #**general>lunch@7**.'

describe('the note of a reminder', () => {
  it('is what its user wrote, on as many lines', () => {
    expect(noteOfReminder(`${FIRST} Note:\n > Call Ben${REST}`)).toBe('Call Ben')
    expect(noteOfReminder(`${FIRST} Note:\n > Call Ben\n > \n > and Cy${REST}`)).toBe('Call Ben\n\nand Cy')
    expect(noteOfReminder(`${FIRST} Note:\n > Call Ben`)).toBe('Call Ben')
  })

  it('is not looked for in the message that it is about', () => {
    expect(noteOfReminder(FIRST + REST)).toBe('')
    expect(noteOfReminder(`${FIRST}${REST} Note:\n > not this`)).toBe('')
  })
})
