/** Takes the pictures of docs/integrations.md: each message is posted as its service posts it, and shown by the page. */
import { Buffer } from 'node:buffer'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, Route } from 'playwright-core'
import { INTEGRATIONS } from '../src/integrations/index.ts'
import type { Integration } from '../src/integrations/integration.ts'
import { ApiClient } from './api-client.ts'
import { DEMO_OWNER } from './demo-organization.ts'
import { PICTURES_FOLDER, pictureName, shownExample } from './integrations-page.ts'
import { type CreatedOrganization, readAnswer } from './organizations.ts'
import { PROJECT } from './project.ts'
import { PICTURE_TIME } from './view-pictures.ts'

const FOLDER = join(PROJECT, 'docs', PICTURES_FOLDER)
const CHANNEL = 'services'
/** Quality of lossy pictures, out of 100; below this, letters get shadows. */
const QUALITY = 80

/** The page's policy forbids `<style>`, but not this. */
const ADD_STYLE = `{
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('.jump-pill { display: none !important } .message { padding-block: 8px !important }')
  document.adoptedStyleSheets.push(sheet)
}`

/** Takes the pictures, and removes those of former messages. `url`: the server, with its one organization. */
export async function takeIntegrationPictures(
  url: string,
  { email, api_key }: CreatedOrganization,
  page: Page,
): Promise<void> {
  const owner = new ApiClient(url, { email, api_key })
  await owner.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: CHANNEL }] })
  for (const integration of INTEGRATIONS) await postExample(owner, integration)
  await page.clock.setFixedTime(PICTURE_TIME)
  await page.route(({ pathname }) => pathname === '/json/messages', sentAtPictureTime)
  await page.goto(`${url}/#narrow/channel/${await channelId(owner)}`)
  await page.getByRole('button', { name: DEMO_OWNER.full_name }).click()
  await page.getByRole('button', { name: 'Not now' }).click()
  await page.evaluate(ADD_STYLE)
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER)
  for (const { name, displayName } of INTEGRATIONS) {
    writeFileSync(join(FOLDER, pictureName(name)), await pictureOf(page, displayName))
  }
  console.log(`${INTEGRATIONS.length} pictures in docs/${PICTURES_FOLDER}`)
}

/** Answers as if the messages were sent at the time of the pictures, so that unchanged ones give the same files. */
async function sentAtPictureTime(route: Route): Promise<void> {
  const response = await route.fetch()
  const answer = (await response.json()) as { messages?: { timestamp: number }[] }
  for (const message of answer.messages ?? []) message.timestamp = PICTURE_TIME.getTime() / 1_000
  await route.fulfill({ response, json: answer })
}

async function channelId(owner: ApiClient): Promise<number> {
  const { stream_id } = await owner.call<{ stream_id: number }>('GET', '/get_stream_id', { stream: CHANNEL })
  return stream_id
}

/** Posts the example with a bot of its own. */
async function postExample(owner: ApiClient, { name, displayName }: Integration): Promise<void> {
  const { example } = shownExample(name)
  const bot = await owner.call<{ user_id: number; api_key: string }>('POST', '/bots', {
    full_name: displayName,
    short_name: name.replaceAll('_', '-'),
    bot_type: 2,
  })
  const { topic, text } = example.template ?? {}
  if (example.template) {
    const templates = { topic_template: topic!, text_template: text! }
    await owner.call('PATCH', `/bots/${bot.user_id}/incoming_webhook`, templates)
  }
  const params = new URLSearchParams({ api_key: bot.api_key, stream: CHANNEL })
  const { form, body, headers } = example
  const response = await fetch(`${owner.url}/api/v1/external/${name}?${params}`, {
    method: 'POST',
    headers: { ...(form ? {} : { 'content-type': 'application/json' }), ...headers },
    body: form ? new URLSearchParams(form) : JSON.stringify(body),
  })
  await readAnswer(response)
}

/** Returns the row of a message, as WebP. */
async function pictureOf(page: Page, sender: string): Promise<Buffer> {
  const row = page
    .locator('.message')
    .filter({ has: page.getByRole('button', { name: sender, exact: true }) })
    .last()
  await row.scrollIntoViewIfNeeded()
  const { x, y, width, height } = (await row.boundingBox())!
  // Playwright itself makes no WebP.
  const devtools = await page.context().newCDPSession(page)
  const clip = { x, y, width, height, scale: 1 }
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY, clip })
  await devtools.detach()
  return Buffer.from(data, 'base64')
}
