import { expect, it } from 'vitest'
import { BUCKETS, type Counts, histogramSamples, observe, sample } from '../../src/core/metrics.ts'
import { prometheusText } from '../../src/core/prometheus.ts'

it('a metric has its help and type once, and a line for each organization', () => {
  const text = prometheusText([
    { counts: { organizations: 2 } },
    { realm: 'a.test', counts: { messages_sent_total: 5, [sample('logins_total', { outcome: 'ok' })]: 1 } },
    { realm: 'b.test', counts: { messages_sent_total: 7 } },
  ])
  expect(text.split('\n').filter((line) => !line.startsWith('#'))).toEqual([
    'parley_organizations 2',
    'parley_messages_sent_total{realm="a.test"} 5',
    'parley_messages_sent_total{realm="b.test"} 7',
    'parley_logins_total{realm="a.test",outcome="ok"} 1',
    '',
  ])
  expect(text.match(/# TYPE parley_messages_sent_total counter\n/g)).toHaveLength(1)
  expect(text.match(/# HELP parley_messages_sent_total Messages sent\.\n/g)).toHaveLength(1)
})

it('a bucket of a histogram has all shorter durations too', () => {
  const counts: Counts = {}
  for (const seconds of [0.05, 0.07, 0.4, 60])
    observe(counts, histogramSamples('request_seconds', { kind: 'send' }), seconds)
  const lines = prometheusText([{ realm: 'a.test', counts }]).split('\n')
  const of = (end: string) =>
    lines
      .find((line) => line.includes(`kind="send",le="${end}"`))
      ?.split(' ')
      .at(-1)
  expect(['0.05', '0.1', '0.3', '0.5', '10', '+Inf'].map(of)).toEqual(['1', '2', '2', '3', '3', '4'])
  expect(lines).toContain('parley_request_seconds_count{realm="a.test",kind="send"} 4')
  expect(lines.filter((line) => line.includes('_bucket'))).toHaveLength(BUCKETS.length)
  expect(BUCKETS).toHaveLength(10)
})

it('a quote in a host ends no label, and unknown figures are left out', () => {
  const text = prometheusText([{ realm: 'a"\\b\n', counts: { queues: 1, of_another_build: 3 } }])
  expect(text).toContain('parley_queues{realm="a\\"\\\\b\\n"} 1')
  expect(text).not.toContain('another_build')
})
