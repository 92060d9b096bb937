import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { filesOf } from '../../src/http/input/read-form.ts'

const BOUNDARY = 'border'

/** A text full of sequences that look like the end of a part. */
const trickyText = fc
  .array(fc.constantFrom('\r', '\n', '-', '--', `--${BOUNDARY}`, `\r\n--borde`, 'x', '\0', 'é'), {
    maxLength: 12,
  })
  .map((parts) => parts.join('').replaceAll(`\r\n--${BOUNDARY}`, ''))

interface Part {
  readonly fileName: string | null
  readonly content: string
}

const part: fc.Arbitrary<Part> = fc.record({
  fileName: fc.option(fc.constantFrom('a.txt', 'b c.png', 'ä.pdf')),
  content: trickyText,
})

function bodyOf(parts: readonly Part[], preamble: string): Uint8Array {
  const text = parts.map(({ fileName, content }) => {
    const name = fileName === null ? '' : `; filename="${fileName}"`
    return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="f"${name}\r\n\r\n${content}\r\n`
  })
  return new TextEncoder().encode(`${preamble}${text.join('')}--${BOUNDARY}--\r\nepilogue`)
}

/** Returns the body as it comes from a network: in chunks of these sizes, over and over. */
function requestOf(body: Uint8Array, sizes: readonly number[]): Request {
  let at = 0
  let chunk = 0
  const stream = new ReadableStream({
    type: 'bytes',
    pull(controller) {
      if (at >= body.length) {
        controller.close()
        return
      }
      const size = sizes[chunk++ % sizes.length]!
      controller.enqueue(body.slice(at, at + size))
      at += size
    },
  })
  return new Request('http://example.com/', {
    method: 'POST',
    headers: { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: stream,
  })
}

async function textOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of content) text += decoder.decode(chunk, { stream: true })
  return text + decoder.decode()
}

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 })

describe('the files of a form', () => {
  it('are read unchanged, however the network cuts them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { maxLength: 4 }),
        fc.constantFrom('', 'preamble\r\n'),
        sizes,
        async (parts, preamble, cuts) => {
          const files: Part[] = []
          for await (const { name, content } of filesOf(requestOf(bodyOf(parts, preamble), cuts))) {
            files.push({ fileName: name, content: await textOf(content) })
          }
          expect(files).toEqual(parts.filter(({ fileName }) => fileName !== null))
        },
      ),
      { numRuns: 300 },
    )
  })

  it('are found behind files that were not read', async () => {
    const parts = [
      { fileName: 'a.txt', content: 'passed over' },
      { fileName: 'ä.pdf', content: 'read' },
    ]
    const found: string[] = []
    for await (const { name, content } of filesOf(requestOf(bodyOf(parts, ''), [3]))) {
      found.push(name === 'ä.pdf' ? await textOf(content) : name)
    }
    expect(found).toEqual(['a.txt', 'read'])
  })

  it('fail where the form is cut off', async () => {
    await fc.assert(
      fc.asyncProperty(part, sizes, fc.nat(), async (one, cuts, at) => {
        const whole = bodyOf([one], '')
        const end = whole.length - 'border--\r\nepilogue'.length
        const cut = requestOf(whole.slice(0, 1 + (at % (end - 1))), cuts)
        await expect(
          (async () => {
            for await (const { content } of filesOf(cut)) await textOf(content)
          })(),
        ).rejects.toThrow('The form ends too early')
      }),
      { numRuns: 200 },
    )
  })

  it('are not found in other bodies', async () => {
    const request = new Request('http://example.com/', {
      method: 'POST',
      body: new URLSearchParams({ a: 'b' }),
    })
    const names: string[] = []
    for await (const { name } of filesOf(request)) names.push(name)
    expect(names).toEqual([])
  })
})
