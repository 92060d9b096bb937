/** Settings, channels and subscriptions of an organization here. */
import type { Payload } from '../../integrations/payload.ts'
import { REALM_GROUP_SETTINGS } from '../../rules/group-settings.ts'
import type { Known } from '../known.ts'
import type { NeutralRecord, RecordOf } from '../neutral.ts'
import { fieldDetails, isPlain, listed } from '../server-texts.ts'
import { PartedLists } from '../stored-lists.ts'
import { permissionOf } from './channels.ts'
import type { Taker } from './people.ts'

/** The value of a setting that names no channel. */
const NO_CHANNEL = -1
/** Settings that say where the organization is, what it is called and what it was given, rather than what it has chosen. */
const NOT_CHOSEN =
  /^realm_(?:name|description|uri|url|host|string_id|icon_.*|logo_.*|night_logo_.*|.*_id|.*_quota.*|.*_mib|plan_type|date_created|is_.*|(?!jitsi_).*_url|email_auth_enabled|password_auth_enabled|push_notifications_.*|bot_domain|available_.*|uuid|incoming_webhook_bots|embedded_bots|.*_limits?)$/

/** realm.json: the organization itself, and what belongs to nobody in it. */
export class RealmTaker implements Taker {
  private readonly known: Known
  private readonly defaults: string[] = []
  private readonly emoji: Payload[] = []
  private announcements = ''
  private name = ''
  private description = ''

  constructor(known: Known) {
    this.known = known
  }

  async *take(list: string, row: Payload): AsyncGenerator<NeutralRecord> {
    const { raw } = row
    switch (list) {
      case 'realm_name':
        this.name = row.text()
        return
      case 'realm_description':
        this.description = row.text()
        return
      case 'realm_emoji':
        this.emoji.push(...row.entries().map(([, emoji]) => emoji))
        return
      case 'realm_default_streams':
        this.defaults.push(row.text())
        return
      case 'realm_new_stream_announcements_stream_id':
        this.announcements = row.text()
        yield channelSetting(list, row)
        return
      case 'realm_signup_announcements_stream_id':
      case 'realm_moderation_request_channel_id':
      case 'realm_zulip_update_announcements_stream_id':
        yield channelSetting(list, row)
        return
      case 'custom_profile_fields':
        yield await this.fieldOf(row)
        return
      case 'channel_folders':
        if (!row.isTrue('is_archived'))
          yield {
            type: 'channel_folder',
            id: row.text('id'),
            name: row.text('name'),
            description: row.text('description'),
          }
        return
      case 'realm_linkifiers':
        yield linkifierOf(row)
        return
      case 'realm_domains':
        yield { type: 'domain', domain: row.text('domain'), subdomains: row.isTrue('allow_subdomains') }
        return
      case 'realm_default_stream_groups':
        yield {
          type: 'default_channel_group',
          name: row.text('name'),
          description: row.text('description'),
          channels: row.list('streams').map((id) => id.text()),
        }
        return
      case 'realm_playgrounds':
        yield {
          type: 'playground',
          name: row.text('name'),
          language: row.text('pygments_language'),
          url_template: row.text('url_template'),
        }
        return
      case 'realm_user_settings_defaults':
        for (const [name, { raw: value }] of row.entries())
          if (isPlain(value)) yield { type: 'default_setting', name: name.slice(0, 100), value }
        return
      default: {
        if (!/^realm_/.test(list)) return
        const name = list.slice('realm_'.length, 100)
        if (REALM_GROUP_SETTINGS.some((setting) => setting.name === name))
          yield { type: 'realm_setting', name, value: permissionOf(row) }
        else if (!NOT_CHOSEN.test(list) && (raw === null || isPlain(raw)))
          yield { type: 'realm_setting', name, value: raw }
      }
    }
  }

  async *end(): AsyncGenerator<NeutralRecord> {
    await this.known.put('realm', 'defaults', JSON.stringify(this.defaults.slice(0, 5_000)))
    await this.known.put('realm', 'announcements', this.announcements)
    const pictures: string[] = []
    for (const name of ['icon', 'logo', 'night_logo']) {
      const path = await this.known.get('realm', name)
      if (path === undefined) continue
      yield { type: 'file', id: name, name, path }
      pictures.push(name)
    }
    yield {
      type: 'organization',
      ...(this.name !== '' && { name: this.name.slice(0, 1_000) }),
      description: this.description,
      ...Object.fromEntries(pictures.map((name) => [name, name])),
    }
    for (const emoji of this.emoji) yield* this.ofEmoji(emoji)
  }

  private async *ofEmoji(emoji: Payload): AsyncGenerator<NeutralRecord> {
    const [id, name] = [emoji.text('id'), emoji.text('name')]
    const path = await this.known.get('emoji', id)
    if (path === undefined || name === '') {
      yield { type: 'problem', kind: 'file is not in the archive', detail: `emoji ${name}` }
      return
    }
    yield { type: 'file', id: `emoji:${id}`, name: emoji.text('source_url').split('/').at(-1) || name, path }
    const author = emoji.text('author_id')
    yield {
      type: 'emoji',
      id,
      name,
      image: `emoji:${id}`,
      deactivated: emoji.isTrue('deactivated'),
      ...(author !== '' && { author }),
    }
  }

  /** Returns a profile field. Its data is kept, since it has the labels of choices. */
  private async fieldOf(row: Payload): Promise<NeutralRecord> {
    const id = row.text('id')
    const type = row.number('type') ?? 0
    await this.known.put('field', id, JSON.stringify({ type, data: row.text('field_data').slice(0, 50_000) }))
    return { type: 'profile_field', id, ...fieldDetails(row, type) }
  }
}

function linkifierOf(row: Payload): RecordOf<'linkifier'> {
  const [example, reverse] = [row.text('example_input'), row.text('reverse_template')]
  const alternatives = row.list('alternative_url_templates').map((template) => template.text())
  return {
    type: 'linkifier',
    pattern: row.text('pattern'),
    url_template: row.text('url_template'),
    ...(example !== '' && { example_input: example }),
    ...(reverse !== '' && { reverse_template: reverse }),
    ...listed('alternative_url_templates', alternatives),
  }
}

function channelSetting(list: string, row: Payload): RecordOf<'realm_setting'> {
  const id = row.number() ?? NO_CHANNEL
  const value = id === NO_CHANNEL ? null : { channel: String(id) }
  return { type: 'realm_setting', name: list.slice('realm_'.length), value }
}

/** Stores subscriptions until their channels are read. */
export class SubscriptionTaker implements Taker {
  private readonly subscribers: PartedLists

  constructor(known: Known) {
    this.subscribers = new PartedLists('subscribers', known)
  }

  async take(_: string, row: Payload): Promise<void> {
    const [channel, user, color] = [row.text('stream_id'), row.text('user_id'), row.text('color')]
    if (channel === '' || user === '') return
    await this.subscribers.add(channel, {
      user: user.slice(0, 40),
      ...(color !== '' && { color: color.slice(0, 20) }),
      ...(row.isTrue('is_muted') && { muted: true }),
      ...(row.isTrue('pin_to_top') && { pinned: true }),
      ...notificationsIn(row),
    })
  }

  end(): Promise<void> {
    return this.subscribers.store()
  }
}

const NOTIFICATIONS = {
  desktop: 'desktop_notifications',
  audible: 'audible_notifications',
  push: 'push_notifications',
  email: 'email_notifications',
  wildcard_mentions: 'wildcard_mentions_notify',
} as const

function notificationsIn(row: Payload): { notifications?: Record<string, boolean> } {
  const chosen = Object.entries(NOTIFICATIONS).flatMap(([name, key]) => {
    const { raw } = row.at(key)
    return typeof raw === 'boolean' ? [[name, raw] as const] : []
  })
  return chosen.length > 0 ? { notifications: Object.fromEntries(chosen) } : {}
}
