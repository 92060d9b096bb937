import { describe, expect, it } from 'vitest'
import { linkOnto, pastedOf } from '../../web/state/pasted.ts'

const PICTURE = { name: 'image.png', type: 'image/png' }
const REPORT = { name: 'report may.pdf', type: 'application/pdf' }
const PHOTO = { name: 'photo.jpg', type: 'image/jpeg' }

describe('a paste', () => {
  it.each([
    [
      'of cells with their picture is the text',
      { text: 'a\tb', htmlText: 'a\tb', files: [PICTURE] },
      'a\tb',
      false,
    ],
    [
      'of HTML with a picture is the words',
      { text: '', htmlText: 'a part', files: [PICTURE] },
      'a part',
      false,
    ],
    ['of HTML alone is its words', { text: '', htmlText: 'a part', files: [] }, 'a part', false],
    ['of a text alone is the text', { text: ' a', htmlText: undefined, files: [] }, ' a', false],
    ['of a picture is the file', { text: '', htmlText: undefined, files: [PICTURE] }, '', true],
    ['of a picture of a page is the file', { text: '', htmlText: '', files: [PICTURE] }, '', true],
    [
      'of a picture with its address is the file',
      { text: 'https://a.example/b.png', htmlText: '', files: [PICTURE] },
      '',
      true,
    ],
    [
      'of files with their names is the files',
      { text: 'photo.jpg\rreport may.pdf', htmlText: undefined, files: [PHOTO, REPORT] },
      '',
      true,
    ],
    [
      'of a file with its path is the file',
      { text: 'file:///home/ann/report%20may.pdf', htmlText: undefined, files: [REPORT] },
      '',
      true,
    ],
    [
      'of several files with a text is both',
      { text: 'See these', htmlText: undefined, files: [PHOTO, REPORT] },
      'See these',
      true,
    ],
  ])('%s', (_, clipboard, text, takesFiles) => {
    expect(pastedOf(clipboard)).toEqual({ text, takesFiles })
  })
})

describe('an address pasted onto a selection', () => {
  it.each([
    ['makes it a link', 'the list', 'https://a.example/list', '[the list](https://a.example/list)'],
    ['keeps the spaces outside', ' list ', 'https://a.example', ' [list](https://a.example) '],
    ['keeps its brackets', 'list', 'https://a.example/b_(c)', '[list](https://a.example/b_%28c%29)'],
    ['takes the place of another address', 'https://b.example', 'https://a.example', undefined],
    ['takes the place of brackets', 'a [b', 'https://a.example', undefined],
    ['takes the place of several lines', 'a\nb', 'https://a.example', undefined],
    ['stays as it is without a selection', '', 'https://a.example', undefined],
    ['is an address alone', 'list', 'https://a.example and more', undefined],
    ['is no script', 'list', 'javascript:alert(1)', undefined],
  ])('%s', (_, selected, pasted, link) => {
    expect(linkOnto(selected, pasted)).toBe(link)
  })
})
