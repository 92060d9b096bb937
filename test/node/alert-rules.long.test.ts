import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { PROJECT } from '../../scripts/project.ts'
import { type Counts, histogramSamples, METRICS, observe, sample } from '../../src/core/metrics.ts'
import { prometheusText } from '../../src/core/prometheus.ts'

/** Runs promtool, Prometheus' own check of its files. */
function promtool(args: readonly string[], input = '') {
  return spawnSync('promtool', args, { input, encoding: 'utf8', cwd: join(PROJECT, 'ops') })
}

beforeAll(() => {
  if (promtool(['--version']).error) {
    throw new Error(
      'promtool is missing, which checks the alert rules: `apt-get install prometheus` brings it',
    )
  }
})

it('Prometheus accepts the alert rules and the configuration', () => {
  const rules = promtool(['check', 'rules', 'alerts.yml'])
  expect(rules.stderr + rules.stdout).toContain('SUCCESS: 10 rules found')
  const config = promtool(['check', 'config', '--syntax-only', 'prometheus.yml'])
  expect(config.stderr + config.stdout).toContain('SUCCESS')
  expect([rules.status, config.status]).toEqual([0, 0])
})

it('the rules fire, and stay silent, where they should', () => {
  const { status, stdout, stderr } = promtool(['test', 'rules', join(PROJECT, 'test/node/alert-rules.yml')])
  expect(stdout + stderr).toContain('SUCCESS')
  expect(status).toBe(0)
})

it('Prometheus reads a scrape that has every metric', () => {
  const counts: Counts = {}
  for (const [name, { type }] of METRICS) {
    if (type !== 'histogram') counts[name] = 1.5
  }
  counts[sample('requests_total', { kind: 'send', status: '2xx' })] = 7
  observe(counts, histogramSamples('request_seconds', { kind: 'send' }), 0.2)
  observe(counts, histogramSamples('delivery_seconds', { kind: 'mail' }), 20)
  const { status, stdout, stderr } = promtool(
    ['check', 'metrics'],
    prometheusText([
      { realm: 'a.test', counts },
      { realm: 'b.test', counts },
    ]),
  )
  expect(stdout + stderr).toBe('')
  expect(status).toBe(0)
  expect(promtool(['check', 'metrics'], 'parley_broken{realm="a} 1\n').status).not.toBe(0)
})
