import { describe, expect, it } from 'vitest'
import { parseSentence, say, sayPlainly, subjectOf } from '../../src/integrations/declared/sentence.ts'
import { Payload } from '../../src/integrations/payload.ts'

const post = new Payload({
  title: 'Count [x]',
  url: 'https://a.example/7',
  id: 'a/b c',
  user: 'https://evil.example/1',
  text: '**x**\ny',
  item: { name: 'inner' },
  json: '{"a":{"b":"c"}}',
})
const about = {
  post,
  tables: { icon: { up: ':check:', '*': ':question:' } },
  hasOwnTopic: true,
  header: (name: string) => `header ${name}`,
  digest: () => 'digest',
}
const subject = subjectOf(post, about)
const inner = subjectOf(post.at('item'), about)

describe('a sentence of a declaration', () => {
  it.each([
    ['{{user}} did it', 'https&#58;//evil&#46;example/1 did it'],
    ['[{{title}}]({{url}})', '[Count &#91;x&#93;](https://a.example/7)'],
    ['[{{title}}]({{none}})', 'Count &#91;x&#93;'],
    ['[{{none}}]({{url}})', ''],
    ['[{{title}}]({{text}})', 'Count &#91;x&#93;'],
    ['[x](https://b.example/{{id}}/{{none | default: "y z"}})', '[x](https://b.example/a%2Fb%20c/y%20z)'],
    ['[x](https://b.example/{{none}})', 'x'],
    ['a{{? of {{title}}?}}{{? by {{none}}?}} b', 'a of Count &#91;x&#93; b'],
    ['[a{{? {{title | once}}?}}]({{url}})', '[a](https://a.example/7)'],
    ['{{none | as: icon}} {{title}}', ':question: Count &#91;x&#93;'],
    ['{{json | json: a.b}}{{title | json: a}}', 'c'],
    ['{{@X-Kind}} {{#}}', 'header X-Kind digest'],
    ['{{none}}  {{none}} (a) ]', '(a) ]'],
  ])('%s says %s', (sentence, said) => {
    expect(say(parseSentence(sentence), subject)).toBe(said)
  })

  it('about an item reaches the whole post', () => {
    expect(say(parseSentence('{{name}} of {{$.title}}{{? {{title}}?}}'), inner)).toBe(
      'inner of Count &#91;x&#93;',
    )
  })

  it('that is quoted keeps the text as it is', () => {
    expect(sayPlainly(parseSentence('{{text}}'), subject)).toBe('**x**\ny')
  })

  it.each(['{{a', '[a](b', '{{? {{a}}', '{{a | unknown}}'])(
    'without an end or a known filter is refused: %s',
    (text) => {
      expect(() => parseSentence(text)).toThrow()
    },
  )
})
