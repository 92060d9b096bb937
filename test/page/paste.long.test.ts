import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { A_BROWSER, needs } from '../support/needs.ts'
import { CHROMIUM, OWNER, usePage } from './open-page.ts'

const TOPIC = '/#narrow/channel/1-general/topic/paste'

interface Pasted {
  readonly text: string
  readonly html: string
  readonly hasPicture?: boolean
}

/** Pastes into the box as a browser does that has these forms of something on its clipboard. */
async function paste(page: Page, { text, html, hasPicture = false }: Pasted): Promise<void> {
  await page.locator('.compose-text').evaluate(
    (box, pasted) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', pasted.text)
      clipboardData.setData('text/html', pasted.html)
      if (pasted.hasPicture) {
        clipboardData.items.add(new File([new Uint8Array(8)], 'image.png', { type: 'image/png' }))
      }
      box.focus()
      box.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    },
    { text, html, hasPicture },
  )
}

const written = (page: Page) => page.locator('.compose-text').inputValue()

const CASES: readonly (readonly [rule: string, html: string, markdown: string])[] = [
  [
    'words, links and line breaks',
    '<p>See <a href="https://a.example/b_(c)">the [list]</a><br>and <b>read</b>, <i>look</i>, <s>ask</s> <code>x_1</code></p>',
    'See [the (list)](https://a.example/b_%28c%29)\nand **read**, *look*, ~~ask~~ `x_1`',
  ],
  [
    'headings and quotes',
    '<h2>Plan</h2><p>One *</p><blockquote><p>two</p><p>three</p></blockquote>',
    '**Plan**\n\nOne *\n\n> two\n> \n> three',
  ],
  [
    'lists in lists',
    '<ul><li><p>a</p><ul><li>b</li></ul></li><li>c</li></ul><ol start="3"><li>d</li><li>e</li></ol>',
    '* a\n  * b\n* c\n\n3. d\n4. e',
  ],
  [
    'code',
    '<div class="highlight-source-js"><pre>let a = `b`\n  c()</pre></div>',
    '```js\nlet a = `b`\n  c()\n```',
  ],
  [
    'tables among words',
    '<p>Prices:</p><table><tr><th>Tea</th><td><b>3</b></td></tr><tr><td>a|b</td><td></td></tr></table>',
    'Prices:\n\n| Tea | **3** |\n| --- | --- |\n| a\\|b |  |',
  ],
  [
    'the styles of documents, whose frame is no bold word',
    '<b style="font-weight:normal" id="docs-internal-guid-1"><p><span style="font-weight:700">Bold</span> <span style="font-style:italic">words</span></p></b>',
    '**Bold** *words*',
  ],
  [
    'nothing of scripts, pictures and addresses that are no links',
    '<style>p { color: red }</style><p onclick="x()">a <img src="https://a.example/i.png" alt="👍" onerror="document.title = \'run\'"> <a href="javascript:x()">b</a> <strong>c</strong></p><script>document.title = "run"</script>',
    'a 👍 b **c**',
  ],
]

describe.skipIf(CHROMIUM === undefined)(
  'a paste into the box',
  needs(A_BROWSER, { timeout: 120_000 }),
  () => {
    const { browsers } = usePage()

    it('makes Markdown of web pages', async () => {
      const { page, complaints } = await browsers.enter(OWNER, {}, TOPIC)
      await page.locator('.compose-text').waitFor()
      for (const [rule, html, markdown] of CASES) {
        await page.locator('.compose-text').fill('')
        await paste(page, { text: 'the words', html })
        await expect.poll(() => written(page), { message: rule }).toBe(markdown)
      }
      expect(await page.title()).not.toContain('run')
      // What the browser says of scripts that it did not run.
      const others = complaints.splice(0).filter((text) => !text.startsWith('Executing inline event handler'))
      expect(others).toEqual([])
    })

    it('keeps plain text without formats, in code, and beyond a limit', async () => {
      const { page } = await browsers.enter(OWNER, {}, TOPIC)
      await page.locator('.compose-text').waitFor()
      const same = async (before: string, html: string) => {
        await page.locator('.compose-text').fill(before)
        await page.locator('.compose-text').press('ControlOrMeta+End')
        await paste(page, { text: 'a  b', html })
        // The browser pastes by itself only what a person has pasted.
        await page.waitForTimeout(200)
        expect(await written(page)).toBe(before)
      }
      await same('', '<div><span style="color: red">a  b</span></div>')
      await same('```\n', '<b>a  b</b>')
      await same('', `<b>a</b>${'<i>b</i>'.repeat(65_000)}`)
    })

    it('leaves Ctrl+Shift+V to the browser', async () => {
      const { page } = await browsers.enter(
        OWNER,
        { permissions: ['clipboard-read', 'clipboard-write'] },
        TOPIC,
      )
      await page.locator('.compose-text').click()
      await page.evaluate(() =>
        navigator.clipboard.write([
          new ClipboardItem({
            'text/plain': new Blob(['bold words'], { type: 'text/plain' }),
            'text/html': new Blob(['<b>bold</b> words'], { type: 'text/html' }),
          }),
        ]),
      )
      await page.keyboard.press('Control+Shift+V')
      await expect.poll(() => written(page)).toBe('bold words')
      await page.locator('.compose-text').fill('')
      await page.keyboard.press('Control+V')
      await expect.poll(() => written(page)).toBe('**bold** words')
      await page.keyboard.press('Control+Z')
      await expect.poll(() => written(page)).not.toContain('**')
    })

    it('asks once how to paste cells', async () => {
      const { page } = await browsers.enter(OWNER, {}, TOPIC)
      await page.locator('.compose-text').waitFor()
      const cells = {
        text: 'Tea\t3\nCake\t4',
        html: '<html><head><style>td {}</style></head><body><table><tr><td>Tea</td><td>3</td></tr><tr><td>Cake</td><td>4</td></tr></table></body></html>',
      }
      const table = '| Tea | 3 |\n| --- | --- |\n| Cake | 4 |\n'
      // Whoever does not answer gets the text, and is asked again.
      await paste(page, cells)
      await page.getByRole('menuitem', { name: 'Table' }).waitFor()
      expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Table', 'Text'])
      await page.keyboard.press('Escape')
      await expect.poll(() => written(page)).toBe(cells.text)
      await page.locator('.compose-text').fill('Prices:')
      await paste(page, { ...cells, hasPicture: true })
      expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Table', 'Text', 'Picture'])
      await page.getByRole('menuitem', { name: 'Table' }).click()
      await expect.poll(() => written(page)).toBe(`Prices:\n\n${table}`)
      await page.locator('.compose-text').fill('')
      await paste(page, cells)
      await expect.poll(() => written(page)).toBe(table)
      expect(await page.getByRole('menuitem').count()).toBe(0)
    })
  },
)
