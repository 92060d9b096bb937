import examples from '@octokit/webhooks-examples/api.github.com/index.json' with { type: 'json' }
import { describe, expect, it } from 'vitest'
import { github } from '../../src/integrations/github.ts'
import { fromJson } from '../support/json.ts'
import { findFaults, readExample } from './example.ts'

/** Events of GitHub for which there are no messages: they are about boards that are gone, or programs post them to programs. */
const UNSUPPORTED = ['project', 'project_card', 'project_column', 'repository_dispatch']

const read = (event: string, body: unknown) =>
  readExample(github, { what: event, headers: { 'X-GitHub-Event': event }, body })

describe('the examples that GitHub publishes', () => {
  it('are messages in whole sentences, or events that are not supported', () => {
    const faults: string[] = []
    let count = 0
    for (const { name, examples: payloads } of examples) {
      for (const payload of payloads) {
        count += 1
        const found = read(name, payload)
        if (found.kind === 'unsupported') {
          if (!UNSUPPORTED.includes(name)) faults.push(`${found.event} is not supported`)
        } else if (found.kind === 'messages') {
          for (const message of found.messages) {
            faults.push(...findFaults(message).map((fault) => `${name}: ${fault}: ${message.text}`))
          }
        } else faults.push(`${name} is ${found.kind}`)
      }
    }
    expect(count).toBeGreaterThan(300)
    expect(faults).toEqual([])
  })

  it('have a name for filters that the list of events has', () => {
    const events = new Set(github.events)
    for (const { name, examples: payloads } of examples) {
      for (const payload of payloads) {
        const address = { only_events: [...events] }
        const headers = { 'X-GitHub-Event': name }
        const filtered = readExample(github, {
          what: name,
          headers,
          body: payload,
          address,
        })
        const whole = read(name, payload)
        if (whole.kind === 'messages') expect(filtered).toEqual(whole)
      }
    }
  })

  it('may have any word as the action or the state', () => {
    for (const { name, examples: payloads } of examples) {
      const text = JSON.stringify(payloads[0], (key, value) =>
        /^(?:action|state|status|conclusion|type)$/.test(key) ? 'constructor' : value,
      )
      expect(JSON.stringify(read(name, fromJson(text)))).not.toContain('native code')
    }
  })
})
