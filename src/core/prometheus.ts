import { BUCKETS, type Counts, leOf, METRICS } from './metrics.ts'

/** The type of the text format that Prometheus reads. */
export const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

const PREFIX = 'parley_'

/** Figures of one organization, or without a host, of the deployment. */
export interface Figures {
  readonly realm?: string
  readonly counts: Readonly<Counts>
}

interface Sample {
  readonly metric: string
  /** The end of its name, of a sample of a histogram. */
  readonly part: '' | 'bucket' | 'sum'
  /** Without braces. */
  readonly labels: string
  readonly value: number
}

const SAMPLE = /^(\w+?)(?:_(bucket|sum))?(?:\{(.*)\})?$/
const LE = /,?le="([^"]*)"/

/** Writes figures in Prometheus' text format 0.0.4. Samples of metrics that this build does not know are left out. */
export function prometheusText(all: readonly Figures[]): string {
  const samples = Map.groupBy(all.flatMap(samplesOf), ({ metric }) => metric)
  const lines = [...METRICS].flatMap(([metric, { type, help }]) => {
    const own = samples.get(metric)
    if (!own) return []
    const name = PREFIX + metric
    const written = type === 'histogram' ? histogramLines(name, own) : own.map((one) => lineOf(name, one))
    return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...written]
  })
  return `${lines.join('\n')}\n`
}

function samplesOf({ realm, counts }: Figures): Sample[] {
  return Object.entries(counts).flatMap(([key, value]) => {
    const [, metric = '', part = '', labels = ''] = SAMPLE.exec(key) ?? []
    const own = realm === undefined ? labels : withLabel(`realm="${escaped(realm)}"`, labels)
    return METRICS.has(metric) ? [{ metric, part: part as Sample['part'], labels: own, value }] : []
  })
}

function withLabel(label: string, labels: string): string {
  return labels === '' ? label : `${label},${labels}`
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

function lineOf(name: string, { labels, value }: Pick<Sample, 'labels' | 'value'>): string {
  return labels === '' ? `${name} ${value}` : `${name}{${labels}} ${value}`
}

/** Returns the lines of a histogram, in which a bucket has the durations of all lower ones too. */
function histogramLines(name: string, samples: readonly Sample[]): string[] {
  const byLabels = Map.groupBy(samples, ({ labels }) => labels.replace(LE, ''))
  return [...byLabels].flatMap(([labels, own]) => {
    let count = 0
    const buckets = BUCKETS.map((end) => {
      const le = leOf(end)
      const inBucket = own.filter(({ part, labels }) => part === 'bucket' && LE.exec(labels)?.[1] === le)
      for (const { value } of inBucket) count += value
      return lineOf(`${name}_bucket`, { labels: withLabel(labels, `le="${le}"`), value: count })
    })
    const sums = own.filter(({ part }) => part === 'sum')
    const sum = sums.reduce((all, { value }) => all + value, 0)
    return [
      ...buckets,
      lineOf(`${name}_sum`, { labels, value: sum }),
      lineOf(`${name}_count`, { labels, value: count }),
    ]
  })
}
