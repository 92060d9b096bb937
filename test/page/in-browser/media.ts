import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { A_BROWSER, needs } from '../../support/needs.ts'
import { hashOf, messageOf } from '../in-conversation.ts'
import { CHROMIUM, OWNER, operate, userIdOf } from '../open-page.ts'
import { browsers, server, TIME } from './organization.ts'

async function say(topic: string, content: string): Promise<number> {
  const params = { type: 'channel', to: ['general'], topic, content, read_by_sender: true }
  const { id } = await operate(server, await userIdOf(server, OWNER), 'send-message', params)
  return id as number
}

/** Uploads a file that the page makes; returns its address. */
async function upload(
  page: Page,
  name: string,
  type: string,
  base64?: string,
  size = [600, 400],
): Promise<string> {
  return page.evaluate(
    async ([fileName, fileType, content, [width, height]]) => {
      const canvas = Object.assign(document.createElement('canvas'), { width, height })
      canvas.getContext('2d')!.fillRect(10, 10, 200, 200)
      const blob = content
        ? new Blob([Uint8Array.from(atob(content), (byte) => byte.charCodeAt(0))], { type: fileType })
        : await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, fileType))
      const form = new FormData()
      form.append('file', new File([blob!], fileName!, { type: fileType! }))
      const token = /csrftoken=([^;]+)/.exec(document.cookie)![1]!
      const answer = await fetch('/json/user_uploads', {
        method: 'POST',
        body: form,
        headers: { 'X-CSRFToken': token },
      })
      const { url }: { url: string } = await answer.json()
      return url
    },
    [name, type, base64, size] as const,
  )
}

/** A tenth of a second of silence, as a WAV file. */
function silence(): string {
  const samples = 800
  const bytes = Buffer.alloc(44 + samples, 128)
  bytes.write('RIFF', 0)
  bytes.writeUInt32LE(36 + samples, 4)
  bytes.write('WAVEfmt ', 8)
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(1, 22)
  bytes.writeUInt32LE(8_000, 24)
  bytes.writeUInt32LE(8_000, 28)
  bytes.writeUInt16LE(1, 32)
  bytes.writeUInt16LE(8, 34)
  bytes.write('data', 36)
  bytes.writeUInt32LE(samples, 40)
  return bytes.toString('base64')
}

describe.skipIf(CHROMIUM === undefined)('a picture in a message', needs(A_BROWSER, TIME), () => {
  it('opens in a viewer with zoom, the next one and a download', async () => {
    const { page } = await browsers.enter(OWNER, {}, hashOf('1-general', 'pictures'))
    const [first, second] = [
      await upload(page, 'one.png', 'image/png'),
      await upload(page, 'two.png', 'image/png'),
    ]
    await say('pictures', `[one.png](${first})`)
    await say('pictures', `[two.png](${second})`)
    await page.locator('.message img').nth(1).waitFor()
    await page.locator('.message img').first().click()
    const viewer = page.getByRole('dialog', { name: 'Picture' })
    await viewer.locator('.pswp__counter', { hasText: '1 / 2' }).waitFor()
    const link = viewer.getByRole('link', { name: 'Download' })
    expect(await link.getAttribute('href')).toBe(`${first}?download=1`)
    // The keys come with the end of the opening.
    await viewer.locator('.pswp--ui-visible').waitFor()
    await page.waitForTimeout(500)
    await page.keyboard.press('ArrowRight')
    await viewer.locator('.pswp__counter', { hasText: '2 / 2' }).waitFor()
    expect(await link.getAttribute('href')).toBe(`${second}?download=1`)
    await viewer.getByText('two.png').waitFor()
    const width = () =>
      viewer
        .locator('.pswp__item[aria-hidden="false"] img.pswp__img')
        .last()
        .evaluate((image) => image.getBoundingClientRect().width)
    await expect.poll(width).toBeGreaterThan(500)
    const before = await width()
    await viewer.getByRole('button', { name: 'Zoom' }).click()
    await expect.poll(width).toBeGreaterThan(before)
    const address = page.url()
    await page.keyboard.press('Escape')
    await viewer.waitFor({ state: 'detached' })
    expect(page.url()).toBe(address)
  })
})

describe.skipIf(CHROMIUM === undefined)('a picture on a phone', needs(A_BROWSER, TIME), () => {
  it('has its own form, with no bars beside it', async () => {
    const at = hashOf('1-general', 'narrow pictures')
    const { page } = await browsers.enter(OWNER, { viewport: { width: 360, height: 740 } }, at)
    await say('narrow pictures', `[one.png](${await upload(page, 'one.png', 'image/png')})`)
    const picture = page.locator('.message_inline_image img')
    await picture.waitFor()
    const { width, height } = (await picture.boundingBox())!
    expect(width).toBeLessThan(330)
    expect(width / height).toBeCloseTo(1.5, 1)
  })
})

describe.skipIf(CHROMIUM === undefined)('an uploaded sound', needs(A_BROWSER, TIME), () => {
  it('is played under its link', async () => {
    const { page } = await browsers.enter(OWNER, {}, hashOf('1-general', 'sounds'))
    const address = await upload(page, 'bell.wav', 'audio/wav', silence())
    await say('sounds', `Listen: [bell.wav](${address})`)
    const player = page.getByRole('group', { name: 'bell.wav' })
    await player.getByRole('button', { name: 'Play' }).waitFor()
    await expect
      .poll(() => player.locator('audio').evaluate((audio) => (audio as HTMLAudioElement).duration), {
        timeout: 10_000,
      })
      .toBeCloseTo(0.1)
    await player.getByRole('button', { name: 'Speed: 1×' }).click()
    expect(await player.locator('audio').evaluate((audio) => (audio as HTMLAudioElement).playbackRate)).toBe(
      1.5,
    )
  })

  it('has a player for the first ten of a message; more stay links', async () => {
    const { page } = await browsers.enter(OWNER, {}, hashOf('1-general', 'many sounds'))
    const address = await upload(page, 'bell.wav', 'audio/wav', silence())
    await say('many sounds', Array.from({ length: 12 }, (_, at) => `[bell ${at}](${address})`).join('\n'))
    const message = page.locator('.message[data-id]', { hasText: 'bell 11' })
    await message.getByRole('group').nth(9).waitFor()
    expect(await message.getByRole('group', { name: /^bell/ }).count()).toBe(10)
  })

  it('without a name in words takes nothing from the other messages', async () => {
    const { page } = await browsers.enter(OWNER, {}, hashOf('1-general', 'sounds'))
    // No file has such an address.
    await page.route('**/*ff.wav', (route) => route.fulfill({ status: 200, body: '' }))
    const id = await say('sounds', '![](/user_uploads/1/ab/cdefghijklmnopqrstuvwxyz/%ff.wav)')
    await say('sounds', 'After the sound')
    await page.locator('.message[data-id]', { hasText: 'After the sound' }).waitFor()
    await page.getByRole('group', { name: 'Sound' }).waitFor()
    // Pages of other tests would ask for the sound.
    await operate(server, await userIdOf(server, OWNER), 'delete-message', { message_id: id })
  })
})

describe.skipIf(CHROMIUM === undefined)('an uploaded video', needs(A_BROWSER, TIME), () => {
  it('has controls, and a click on it leads nowhere', async () => {
    const { page } = await browsers.enter(OWNER, {}, hashOf('1-general', 'videos'))
    const address = await upload(page, 'clip.mp4', 'video/mp4', 'AAAA')
    await say('videos', `[clip.mp4](${address})`)
    const video = page.locator('.message video')
    await video.waitFor()
    expect(await video.evaluate((element) => (element as HTMLVideoElement).controls)).toBe(true)
    expect(await video.evaluate((element) => element.closest('a'))).toBeNull()
  })

  it('is as high as a picture, upright ones too, before and after it loads', async () => {
    const { page } = await browsers.enter(OWNER, {}, hashOf('1-general', 'upright'))
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/user_uploads/**/upright.webm', async (route) => {
      await held
      await route.continue()
    })
    const address = await upload(page, 'upright.webm', 'video/webm', await uprightVideo(page))
    await say('upright', `[upright.webm](${address})`)
    const video = page.locator('.message video')
    await video.waitFor()
    expect((await video.boundingBox())!.height).toBe(240)
    release()
    await expect.poll(async () => (await video.boundingBox())!.width).toBeLessThan(150)
    expect((await video.boundingBox())!.height).toBe(240)
  })
})

/** A moment of a video of 180 by 320 points, as a WebM file. */
async function uprightVideo(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 180, height: 320 })
    const drawing = canvas.getContext('2d')!
    const recorder = new MediaRecorder(canvas.captureStream(), { mimeType: 'video/webm' })
    const parts: Blob[] = []
    recorder.ondataavailable = ({ data }) => parts.push(data)
    const stopped = new Promise((resolve) => {
      recorder.onstop = resolve
    })
    recorder.start()
    for (let at = 0; at < 20; at += 1) {
      drawing.fillRect(at, at, 40, 40)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    recorder.stop()
    await stopped
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer())
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  })
}

/** Two pages with a word each, and a script that a viewer would run when the file is opened. */
function twoPages(): string {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert\\("Run"\\))>>>>',
    '<</Type/Pages/Kids[3 0 R 5 0 R]/Count 2>>',
    ...['First', 'Second'].flatMap((word, at) => {
      const drawing = `BT /F 40 Tf 60 700 Td (${word} page) Tj ET 60 400 ${at === 0 ? 100 : 400} 200 re f`
      return [
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents ${4 + at * 2} 0 R/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>`,
        `<</Length ${drawing.length}>>stream\n${drawing}\nendstream`,
      ]
    }),
  ]
  let file = '%PDF-1.4\n'
  const places = objects.map((object, at) => {
    const place = file.length
    file += `${at + 1} 0 obj${object}endobj\n`
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  const start = file.length
  file += `xref\n0 7\n0000000000 65535 f \n${places.join('')}trailer<</Size 7/Root 1 0 R>>\nstartxref\n${start}\n%%EOF`
  return btoa(file)
}

describe.skipIf(CHROMIUM === undefined)('an uploaded PDF', needs(A_BROWSER, TIME), () => {
  it('opens page by page as pictures, with a download', async () => {
    const { page, complaints } = await browsers.enter(OWNER, {}, hashOf('1-general', 'plans as pdf'))
    const url = await upload(page, 'plans.pdf', 'application/pdf', twoPages())
    await say('plans as pdf', `[plans.pdf](${url})`)
    await page.locator('.message').getByRole('link', { name: 'plans.pdf', exact: true }).click()
    const viewer = page.getByRole('dialog', { name: 'plans.pdf' })
    /** Widths of what is black in the lower half of the page, as parts of the whole. */
    const drawn = () =>
      viewer.locator('canvas').evaluate((canvas) => {
        const { width, height } = canvas as HTMLCanvasElement
        const copy = Object.assign(document.createElement('canvas'), { width, height: 1 })
        const context = copy.getContext('2d', { willReadFrequently: true })!
        context.drawImage(canvas as HTMLCanvasElement, 0, -Math.floor(height * 0.4))
        const row = context.getImageData(0, 0, width, 1).data
        return row.filter((value, at) => at % 4 === 0 && value < 80).length / width
      })
    await expect.poll(drawn, { timeout: 15_000 }).toBeCloseTo(100 / 612, 1)
    await viewer.getByRole('status').filter({ hasText: 'Page 1 of 2' }).waitFor()
    expect(await viewer.getByRole('button', { name: 'Previous page' }).isDisabled()).toBe(true)
    await viewer.getByRole('button', { name: 'Next page' }).click()
    await expect.poll(drawn).toBeCloseTo(400 / 612, 1)
    await viewer.getByRole('img', { name: 'Page 2 of 2' }).waitFor()
    const link = viewer.getByRole('link', { name: 'Download' })
    expect(await link.getAttribute('href')).toBe(`${url}?download=1`)
    await page.keyboard.press('Escape')
    await viewer.waitFor({ state: 'detached' })
    expect(complaints.splice(0)).toEqual([])
  })

  it('is for saving when it cannot be read', async () => {
    const { page } = await browsers.enter(OWNER, {}, hashOf('1-general', 'broken pdf'))
    const url = await upload(page, 'broken.pdf', 'application/pdf', btoa('no document'))
    await say('broken pdf', `[broken.pdf](${url})`)
    await page.locator('.message').getByRole('link', { name: 'broken.pdf', exact: true }).click()
    const viewer = page.getByRole('dialog', { name: 'broken.pdf' })
    await viewer.getByRole('alert').filter({ hasText: 'Couldn’t show this file.' }).waitFor()
    expect(await viewer.locator('canvas').count()).toBe(0)
    expect(await viewer.getByRole('link', { name: 'Download' }).isVisible()).toBe(true)
  })

  it('is read by a thread that has no network', async () => {
    const { page } = await browsers.enter(OWNER, {}, hashOf('1-general', 'thread of pdf'))
    const url = await upload(page, 'thread.pdf', 'application/pdf', twoPages())
    await say('thread of pdf', `[thread.pdf](${url})`)
    const thread = page.waitForResponse(/\/page\/pdf\.worker\./)
    await page.locator('.message').getByRole('link', { name: 'thread.pdf', exact: true }).click()
    expect((await thread).headers()['content-security-policy']).toBe("default-src 'none'")
    await page.getByRole('dialog').locator('canvas').waitFor()
    const [worker] = page.workers()
    const reached = await worker!.evaluate(() =>
      fetch('/json/users/me').then(
        () => 'reached',
        () => 'refused',
      ),
    )
    expect(reached).toBe('refused')
  })
})

describe.skipIf(CHROMIUM === undefined)('files in a message', needs(A_BROWSER, TIME), () => {
  it('are cards, and a picture has no link beside it', async () => {
    const { page } = await browsers.enter(OWNER, {}, hashOf('1-general', 'files'))
    const picture = await upload(page, 'house.png', 'image/png', undefined, [100, 750])
    const tall = await upload(page, 'tower.png', 'image/png', undefined, [400, 3_000])
    const paper = await upload(page, 'plan.pdf', 'application/pdf', btoa('%PDF-1.4'))
    const id = await say(
      'files',
      `Look:\n\n[house.png](${picture})\n[tower.png](${tall})\n[plan.pdf](${paper})\n\nAnd in a line: [plan.pdf](${paper}) too`,
    )
    const row = messageOf(page, id)
    await row.locator('img').nth(1).waitFor()
    expect(await row.getByText('house.png', { exact: true }).count()).toBe(0)
    const card = row.locator('.file-card')
    expect(await card.count()).toBe(1)
    expect((await card.boundingBox())!.height).toBe(56)
    await card.getByRole('link', { name: 'plan.pdf', exact: true }).waitFor()
    await card.getByRole('link', { name: 'Download: plan.pdf' }).waitFor()
    expect(await row.getByText('And in a line: plan.pdf too').count()).toBe(1)
    const shown = (await row.locator('img').nth(1).boundingBox())!
    expect(shown.width).toBeGreaterThanOrEqual(120)
    expect(shown.height).toBeLessThanOrEqual(244)
    // A picture that has fewer pixels is not enlarged.
    expect((await row.locator('img').first().boundingBox())!.width).toBeLessThan(104)
  })
})
