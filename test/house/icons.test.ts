import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PROJECT } from '../../scripts/project.ts'
import { readSourceTree } from './import-graph.ts'

const WEB = join(PROJECT, 'web')
const TABLE = readFileSync(join(WEB, 'ui/icon.tsx'), 'utf8')

/** Each name of an icon, and the name of its picture. */
const ICONS = new Map(
  [
    ...TABLE.slice(TABLE.indexOf('const ICONS'), TABLE.indexOf('} as const')).matchAll(
      /^ {2}(\w+): (\w+),/gm,
    ),
  ].map(([, name, picture]) => [name!, picture!] as const),
)

const SOURCES = [...readSourceTree(WEB)].filter(
  ([file]) => file !== 'ui/icon.tsx' && !file.startsWith('components/'),
)

/** A text of one of the catalogues. */
const LABEL = /\b[cfrst]\.[\w.]+/g

/** Labels of buttons and items of menus, by their icon. */
function labelsByIcon(): Map<string, Set<string>> {
  const labels = new Map<string, Set<string>>()
  const add = (icon: string, label: string) => labels.set(icon, (labels.get(icon) ?? new Set()).add(label))
  for (const [, source] of SOURCES) {
    for (const [, attributes] of source.matchAll(/<IconButton\s((?:[^<>]|=>)*?)\/>/g)) {
      const icon = /icon="(\w+)"/.exec(attributes!)?.[1]
      for (const [, text] of attributes!.matchAll(/label=\{([^}]*)\}/g)) {
        for (const [name] of text!.matchAll(LABEL)) if (icon) add(icon, name)
      }
    }
    for (const [, icon, , inside] of source.matchAll(
      /<MenuItem\s(?:(?:[^<>]|=>)*?)icon="(\w+)"((?:[^<>]|=>)*?)>([^<]*)<\/MenuItem>/g,
    )) {
      for (const [name] of inside!.matchAll(LABEL)) add(icon!, name)
    }
  }
  return labels
}

/** Icons of several actions, which are one to whoever uses them. */
const ONE_MEANING: Readonly<Record<string, readonly string[]>> = {
  byPerson: ['f.card.messages', 't.ownMenu.ownMessages'],
  close: [
    ...['c.cancelUpload', 'c.discardRecording', 'c.removeFile', 'c.removeQuote'],
    ...['f.organizations.remove', 'f.status.clear', 'f.status.noEmoji'],
    ...['s.keyboard.remove', 's.remove', 't.cancel', 't.close', 't.pins.unpin', 't.search.clear'],
  ],
  copy: ['f.card.copyEmail', 'f.card.emailCopied'],
  direct: ['f.card.noteToSelf', 'f.card.write'],
  edit: [
    'c.drafts.change',
    'c.editQuote',
    'f.editProfile',
    's.people.edit',
    't.conversation.rename',
    't.message.edit',
  ],
  gear: [
    ...['c.editSnippets', 'f.card.manage', 'f.organizations.settings'],
    ...['t.conversation.channelSettings', 't.views.settings'],
  ],
  hidePreviews: ['t.message.hidePreviews', 't.message.showPreviews'],
  invisible: ['f.goInvisible', 'f.goVisible'],
  link: ['f.card.copyLink', 't.message.copyLink', 't.message.linkCopied'],
  more: ['t.conversation.more', 't.message.more', 't.sidebar.more', 't.sidebar.options'],
  people: ['t.people.label', 't.views.people'],
  plus: ['c.add', 'f.organizations.manage', 't.channels.create', 't.compose.people', 't.sidebar.newDirect'],
  pin: [
    ...['t.conversation.pinChannel', 't.conversation.unpinChannel'],
    ...['t.pins.pinMessage', 't.pins.pinTopic', 't.pins.unpinMessage', 't.pins.unpinTopic'],
  ],
  read: ['t.conversation.markRead', 't.inbox.markChannelRead', 't.inbox.markRead', 't.sidebar.markRead'],
  resolve: ['t.conversation.resolve', 't.conversation.unresolve'],
  snooze: ['f.quiet.pauses', 'f.quiet.schedule'],
  star: ['t.message.star', 't.message.unstar'],
  status: ['f.status.edit', 'f.status.set'],
  trash: ['c.drafts.delete', 't.conversation.deleteTopic', 't.message.delete'],
}

describe('an icon', () => {
  it('has a picture of its own', () => {
    expect(ICONS.size).toBeGreaterThan(40)
    expect([...ICONS.values()].filter((picture, at, all) => all.indexOf(picture) !== at)).toEqual([])
  })

  it('is used', () => {
    const text = SOURCES.map(([, source]) => source).join('\n')
    expect([...ICONS.keys()].filter((name) => !new RegExp(`['"]${name}['"]`).test(text))).toEqual([])
  })

  it('stands for one action, whatever its label', () => {
    const several = [...labelsByIcon()].filter(([, labels]) => labels.size > 1)
    expect(Object.fromEntries(several.map(([icon, labels]) => [icon, [...labels].sort()]))).toEqual(
      ONE_MEANING,
    )
  })
})
