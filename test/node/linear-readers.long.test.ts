/** What strangers send, in the heads of requests and in mail, besides what people write (test/markdown/linear-work.long.test.ts). */
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../src/core/errors.ts'
import { startCountingSlices } from '../markdown/count-work.ts'
import { hostileTexts } from '../markdown/hostile-texts.ts'
import { needs } from '../support/needs.ts'

const count = await startCountingSlices()
const { clientNetwork } = await import('../../src/core/rate-limits.ts')
const { countPoints, firstPoints, fitIntoBytes, isLongerThan } = await import('../../src/core/text-length.ts')
const { requireChannelDescription, requireChannelName } = await import(
  '../../src/model/channels/change/channel-values.ts'
)
const { programOf } = await import('../../src/model/emails/account-mails.ts')
const { readLocalPart } = await import('../../src/model/incoming-mail/mail-address.ts')
const { hasMark, isForwarded, topicOfSubject } = await import(
  '../../src/model/incoming-mail/topic-of-subject.ts'
)
const { cutTopic, firstUnprintable } = await import('../../src/model/messages/text/compose.ts')
const { normaliseColor } = await import('../../src/model/subscriptions/colors.ts')
const { contentTypeOf } = await import('../../src/model/uploads/upload-metadata.ts')
const { readCredentials } = await import('../../src/http/request/credentials.ts')
const { contentTypeOf: typeOfPath } = await import('../../src/http/html/web-client.ts')
const { boundaryOf, filesOf } = await import('../../src/http/input/read-form.ts')
const { readQuery } = await import('../../src/http/input/read-form.ts')
const { bounceReason } = await import('../../src/http/mail/read-mail.ts')
const { filesIn, parseMail, senderAddress, senderIn, textOf } = await import(
  '../../src/http/mail/read-mail.ts'
)
const { languageOfRequest } = await import('../../src/http/html/texts-of-request.ts')
const { sessionOf } = await import('../../src/http/request/browser-session.ts')
const { channelAddress, numberIn } = await import('../../src/http/html/addresses-of-public-pages.ts')
const { htmlForMail, textForMail } = await import('../../src/markdown/for-mail.ts')
const { htmlForPublicPage } = await import('../../src/markdown/for-public-page.ts')
const { renderTex } = await import('../../src/markdown/rules/math.ts')
const { highlightCode } = await import('../../src/markdown/highlight.ts')
const { instantOf } = await import('../../src/markdown/moments.ts')

const MAX_GROWTH = 2.4

/** A request with a header, which has no characters that none may have. */
function withHeader(name: string, text: string): Request {
  return new Request('https://a.example/', { headers: { [name]: text.replaceAll(/[^ -~]+/g, '') } })
}

const READERS: Record<string, (text: string) => unknown> = {
  'the key of a request': (text) => readCredentials(withHeader('authorization', `Basic ${text}`)),
  'the cookies of a request': (text) => sessionOf(withHeader('cookie', text)),
  'the languages of a request': (text) => languageOfRequest(withHeader('accept-language', text)),
  'the address of a client': clientNetwork,
  'the program of a client': programOf,
  'the boundary of a form': (text) => [boundaryOf(text), boundaryOf(`multipart/form-data; ${text}`)],
  'a query': (text) =>
    readQuery(new URL(`https://a.example/?${encodeURIComponent(text.toWellFormed())}&${text}`)),
  'the path of a page': (text) => [numberIn(text), typeOfPath(text), channelAddress({ id: 1, name: text })],
  'the type of a file': (text) => [contentTypeOf(text, ''), contentTypeOf('', text)],
  'a length': (text) => [
    isLongerThan(text, text.length - 1),
    firstPoints(text, text.length),
    countPoints(text),
    fitIntoBytes([text, text], text.length),
  ],
  'a name of a channel': requireChannelName,
  'a description of a channel': (text) => requireChannelDescription(text, 'description'),
  'a colour': normaliseColor,
  'a time': (text) => instantOf(text),
  'characters that none may have': (text) => [firstUnprintable(text), cutTopic(text)],
  'code in a language': (text) => [highlightCode(text, 'python'), highlightCode(text, 'html')],
  'a formula': (text) => renderTex(text.slice(0, 10_000), { display: true }),
  'HTML for mail and for pages': (text) => {
    const html = `<p>${text.replaceAll('<', '&lt;')}</p><a href="${text.replaceAll(/["<>]/g, '')}">a</a>`
    return [
      htmlForMail(html, { origin: 'https://a.example', hidden: '', momentOf: () => undefined }),
      textForMail(html, { origin: 'https://a.example', hidden: '', momentOf: () => undefined }),
      htmlForPublicPage(html),
    ]
  },
  'the address of a mail': readLocalPart,
  'the subject of a mail': (text) => [
    topicOfSubject(text),
    topicOfSubject(`${'Re: '.repeat(text.length / 8)}${text}`),
    hasMark(text),
    isForwarded(text),
  ],
}

describe.skipIf(count === undefined)('work on requests', needs('the counters of Node’s inspector'), () => {
  it.each(Object.entries(READERS))('grows no faster than the text: %s', async (_, read) => {
    const readAll = async (length: number) => {
      for (const text of Object.values(hostileTexts)) {
        try {
          await read(text(length))
        } catch (error) {
          if (!(error instanceof ApiError)) throw error
        }
      }
    }
    await readAll(100)
    const [short, long] = [await count!(() => readAll(10_000)), await count!(() => readAll(20_000))]
    expect(long).toBeLessThanOrEqual(MAX_GROWTH * short + 2_000)
  })

  it.each([
    ['parts', (length) => '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\nc\r\n'.repeat(length / 55)],
    ['line ends', (length) => `--b\r\n\r\n${'\r\n'.repeat(length / 2)}\r\n`],
    ['beginnings of the boundary', (length) => `--b\r\n\r\n${'\r\n--'.repeat(length / 4)}\r\n`],
    ['headers', (length) => `--b\r\n${'a: b\r\n'.repeat(length / 6)}\r\n\r\n`],
  ] as const satisfies readonly (readonly [string, (length: number) => string])[])(
    'grows no faster than a form: %s',
    async (_, form) => {
      const read = async (length: number) => {
        const headers = { 'content-type': 'multipart/form-data; boundary=b' }
        const body = `${form(length)}--b--\r\n`
        for await (const { content } of filesOf(
          new Request('https://a.example/', { method: 'POST', headers, body }),
        )) {
          for await (const _ of content) {
            // read to its end
          }
        }
      }
      await read(1_000)
      const [short, long] = [await count!(() => read(7_000)), await count!(() => read(14_000))]
      expect(long).toBeLessThanOrEqual(MAX_GROWTH * short + 2_000)
    },
  )
})

const HEAD = 'From: a <a@example.com>\r\nTo: b@example.com\r\nSubject: x\r\nMIME-Version: 1.0\r\n'
const PARTS = `${HEAD}Content-Type: multipart/mixed; boundary="b"\r\n\r\n`
const file = 'Content-Disposition: attachment; filename=a'
const status = 'Content-Type: message/delivery-status'

/** Mails of so many bytes, or so many characters of a header. */
const MAILS: Record<string, (length: number) => string> = {
  lines: (length) => `${HEAD}\r\n${'a\r\n'.repeat(length / 3)}`,
  parts: (length) => `${PARTS}${'--b\r\n\r\na\r\n'.repeat(length / 10)}--b--`,
  files: (length) => `${PARTS}${`--b\r\n${file}\r\n\r\na\r\n`.repeat(length / 55)}--b--`,
  'other mails': (length) =>
    `${PARTS}${'--b\r\nContent-Type: message/rfc822\r\n\r\nSubject: a\r\n\r\na\r\n'.repeat(length / 58)}--b--`,
  'a tree of parts': (length) => {
    const nested = Array.from(
      { length: 49 },
      (_, at) => `Content-Type: multipart/mixed; boundary="b${at}"\r\n\r\n--b${at}\r\n`,
    )
    return `${HEAD}${nested.join('')}\r\n${'a\r\n'.repeat(length / 3)}`
  },
  'a file': (length) =>
    `${HEAD}Content-Transfer-Encoding: base64\r\n${file}\r\n\r\n${'YWFh\r\n'.repeat(length / 6)}`,
  'quoted signs': (length) =>
    `${HEAD}Content-Transfer-Encoding: quoted-printable\r\n\r\n${'=41'.repeat(length / 3)}`,
  'ends of lines': (length) =>
    `${HEAD}Content-Type: text/plain; format=flowed\r\n\r\n${'a \r\n'.repeat(length / 4)}`,
  headers: (length) => `${HEAD}${'X: a\r\n'.repeat(length / 6)}\r\nx`,
  'a long header': (length) => `${HEAD}X: a\r\n${' a\r\n'.repeat(length / 4)}\r\nx`,
  addresses: (length) => `To: ${'a@b.c,'.repeat(length / 6)}\r\n\r\nx`,
  'a sender': (length) => `From: ${'a '.repeat(length / 2)}\r\n\r\nx`,
  'open quotations': (length) => `From: ${'"a'.repeat(length / 2)}\r\nTo: ${'"'.repeat(length)}\r\n\r\nx`,
  'open brackets': (length) => `From: ${'<'.repeat(length)}\r\nTo: ${'('.repeat(length)}\r\n\r\nx`,
  groups: (length) => `From: ${'a:b,'.repeat(length / 4)}\r\n\r\nx`,
  'encoded words': (length) => `${HEAD}X: ${'=?utf-8?q?a?= '.repeat(length / 14)}\r\n\r\nx`,
  'an encoded subject': (length) => `Subject: ${'=?utf-8?q?a?='.repeat(length / 13)}\r\n\r\nx`,
  'halves of encoded words': (length) => `Subject: ${'=?a?q?'.repeat(length / 6)}\r\n\r\nx`,
  'parameters of a type': (length) => `Content-Type: text/plain; ${'a=b; '.repeat(length / 5)}\r\n\r\nx`,
  'parts of a parameter': (length) =>
    `Content-Type: text/plain; ${Array.from({ length: length / 8 }, (_, at) => `a*${at}*=b; `).join('')}\r\n\r\nx`,
  HTML: (length) => `${HEAD}Content-Type: text/html\r\n\r\n${'<b>a</b>&amp;'.repeat(length / 13)}`,
  'a report': (length) => `${PARTS}--b\r\n${status}\r\n\r\n${'Status: 5\r\n'.repeat(length / 11)}--b--`,
}

describe.skipIf(count === undefined)('work on a mail', needs('the counters of Node’s inspector'), () => {
  it.each(Object.entries(MAILS))('grows no faster than its bytes: %s', async (_, mail) => {
    const read = async (length: number) => {
      const email = await parseMail(new TextEncoder().encode(mail(length)))
      return [
        textOf(email, [], true),
        senderIn(email),
        senderAddress(email),
        filesIn(email),
        bounceReason(email),
      ]
    }
    await read(1_000)
    const [short, long] = [await count!(() => read(20_000)), await count!(() => read(40_000))]
    expect(short).toBeGreaterThan(100)
    expect(long).toBeLessThanOrEqual(MAX_GROWTH * short + 2_000)
  })
})
