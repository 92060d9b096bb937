import { type ComponentChildren, Fragment } from 'preact'
import { useState } from 'preact/hooks'
import { saveView } from '../../actions/search.ts'
import { state, watch } from '../../chat.ts'
import { go, names } from '../../navigation.ts'
import { type Address, printAddress } from '../../state/addresses.ts'
import { completeChannels, completePeople } from '../../state/completion.ts'
import { HAS_OPERANDS, isDay, type Narrow, type NarrowTerm } from '../../state/narrow.ts'
import { dayOf } from '../../state/search-aliases.ts'
import { printSearch } from '../../state/search-text.ts'
import { r } from '../../texts/reading.ts'
import { locale, t } from '../../texts/texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { Popover } from '../../ui/popover.tsx'
import { ActForm } from '../../ui/use-action.tsx'
import { announce } from '../announcement.tsx'
import { refusalOf } from '../settings/fetched.tsx'
import { channelName, userName } from '../words.ts'

type SearchAddress = Extract<Address, { view: 'narrow' }>

/** The terms of a search as buttons: each is chosen from a list, and removed by a click. */
export function SearchFilters({ shown }: { readonly shown: SearchAddress }) {
  watch('user', 'channel', 'navigation')
  const { narrow, range = {}, isOldestFirst = false } = shown
  const [isSaving, setSaving] = useState(false)
  const show = (change: Partial<SearchAddress>) => go(tidied({ ...shown, ...change }))
  const without = (term: NarrowTerm) => narrow.filter((one) => one !== term)
  const sender = plainTerm(narrow, 'sender')
  const channel = plainTerm(narrow, 'channel')
  const has = narrow.filter((term) => term.operator === 'has' && !term.negated)
  const others = narrow.filter(
    (term) => term.operator !== 'search' && term !== sender && term !== channel && !has.includes(term),
  )
  const put = (old: NarrowTerm | undefined, term: NarrowTerm | undefined) =>
    show({ narrow: [...(old ? without(old) : narrow), ...(term ? [term] : [])] })
  const fragment = printAddress(shown, names).slice(1)
  const isSaved = state.navigationViews.some((one) => one.fragment === fragment)
  return (
    <fieldset class="search-filters" aria-label={r.search.filters}>
      <Filter
        name={r.search.from}
        value={sender && userName(sender.operand as number)}
        onRemove={() => put(sender, undefined)}
        menu={(anchor, close) => (
          <Picker
            anchor={anchor}
            label={r.search.findPerson}
            onClose={close}
            find={(words) =>
              completePeople(state, words).map(({ user_id, full_name, avatar_url }) => ({
                id: user_id,
                name: full_name,
                picture: <Avatar url={avatar_url} name={full_name} size={20} />,
              }))
            }
            onPick={(id) => put(sender, { operator: 'sender', operand: id })}
          />
        )}
      />
      <Filter
        name={r.search.in}
        value={channel && `#${channelName(channel.operand as number)}`}
        onRemove={() => put(channel, undefined)}
        menu={(anchor, close) => (
          <Picker
            anchor={anchor}
            label={r.search.findChannel}
            onClose={close}
            find={(words) =>
              completeChannels(state, words).map(({ stream_id, name, invite_only }) => ({
                id: stream_id,
                name,
                picture: <Icon name={invite_only ? 'lock' : 'hash'} />,
              }))
            }
            onPick={(id) => put(channel, { operator: 'channel', operand: id })}
          />
        )}
      />
      <Filter
        name={r.search.date}
        value={rangeName(range)}
        onRemove={() => show({ range: {} })}
        menu={(anchor, close) => (
          <DatePicker
            anchor={anchor}
            range={range}
            onClose={close}
            onPick={(next) => show({ range: next })}
          />
        )}
      />
      <Filter
        name={r.search.has}
        value={
          has.length === 0
            ? undefined
            : has.map(({ operand }) => r.search.kinds[operand as keyof typeof r.search.kinds]).join(', ')
        }
        onRemove={() => show({ narrow: narrow.filter((term) => !has.includes(term)) })}
        menu={(anchor, close) => (
          <Menu anchor={anchor} label={r.search.has} onClose={close}>
            {HAS_OPERANDS.map((operand) => {
              const there = has.find((term) => term.operand === operand)
              return (
                <MenuItem
                  key={operand}
                  checked={there !== undefined}
                  stays
                  onClick={() => put(there, there ? undefined : { operator: 'has', operand })}
                >
                  {r.search.kinds[operand]}
                </MenuItem>
              )
            })}
          </Menu>
        )}
      />
      {others.map((term) => {
        const text = printSearch(state, [term])
        return <Filter key={text} name={text} value={text} onRemove={() => show({ narrow: without(term) })} />
      })}
      <div class="filters-end">
        <Filter
          name={isOldestFirst ? r.search.oldest : r.search.newest}
          menu={(anchor, close) => (
            <Menu anchor={anchor} align="end" label={r.search.newest} onClose={close}>
              <MenuItem
                checked={!isOldestFirst}
                onClick={() => {
                  const { isOldestFirst: _, ...rest } = shown
                  go(rest)
                }}
              >
                {r.search.newest}
              </MenuItem>
              <MenuItem checked={isOldestFirst} onClick={() => show({ isOldestFirst: true })}>
                {r.search.oldest}
              </MenuItem>
            </Menu>
          )}
        />
        <IconButton
          icon="saveSearch"
          filled={isSaved}
          label={r.search.save}
          disabled={isSaved}
          onClick={() => setSaving(true)}
        />
      </div>
      {isSaving && (
        <Dialog title={r.search.save} onClose={() => setSaving(false)}>
          <ActForm
            button={r.search.save}
            kind="main"
            onAct={async (form) => {
              const name = String(form.get('name')).trim()
              const refusal = await refusalOf(saveView(fragment, name))
              if (refusal === undefined) announce(r.search.saved(name))
              return refusal
            }}
            onDone={() => setSaving(false)}
          >
            <label class="labelled">
              <span>{r.search.name}</span>
              <input
                class="field"
                name="name"
                required
                maxLength={100}
                defaultValue={printSearch(state, narrow, range).slice(0, 100)}
              />
            </label>
          </ActForm>
        </Dialog>
      )}
    </fieldset>
  )
}

function plainTerm(narrow: Narrow, operator: 'sender' | 'channel'): NarrowTerm | undefined {
  return narrow.find((term) => term.operator === operator && !term.negated)
}

/** Returns the address of a search, without an empty range or a message to start at. */
function tidied({ near: _, with: __, range, ...shown }: SearchAddress): SearchAddress {
  return range && (range.after !== undefined || range.before !== undefined) ? { ...shown, range } : shown
}

interface FilterProps {
  readonly name: string
  /** The selected value; undefined if nothing is selected. */
  readonly value?: string | undefined
  readonly onRemove?: () => void
  readonly menu?: (anchor: Element, close: () => void) => ComponentChildren
}

function Filter({ name, value, onRemove, menu }: FilterProps) {
  const [anchor, setAnchor] = useState<Element>()
  return (
    <span class={value === undefined ? 'filter' : 'filter filter-set'}>
      <button
        type="button"
        class="filter-name"
        aria-haspopup={menu ? 'dialog' : undefined}
        aria-expanded={menu ? anchor !== undefined : undefined}
        disabled={!menu}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <span class="one-line">{value === undefined || value === name ? name : name + t.colon + value}</span>
        {value === undefined && <Icon name="fold" />}
      </button>
      {value !== undefined && (
        <button
          type="button"
          class="filter-remove"
          aria-label={r.search.removeFilter(value)}
          onClick={onRemove}
        >
          <Icon name="close" />
        </button>
      )}
      {anchor && menu?.(anchor, () => setAnchor(undefined))}
    </span>
  )
}

interface PickerProps {
  readonly anchor: Element
  readonly label: string
  readonly find: (words: string) => { id: number; name: string; picture: ComponentChildren }[]
  readonly onPick: (id: number) => void
  readonly onClose: () => void
}

/** A list that is filtered by the typed text: arrows go through it, and Enter takes the chosen item, at first the first one. */
function Picker({ anchor, label, find, onPick, onClose }: PickerProps) {
  const [words, setWords] = useState('')
  const [chosen, setChosen] = useState(0)
  const found = find(words.trim())
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Enter') pick(found[chosen]?.id)
    else if (step !== undefined && found.length > 0) {
      event.preventDefault()
      setChosen((chosen + step + found.length) % found.length)
    }
  }
  const pick = (id: number | undefined) => {
    if (id === undefined) return
    onClose()
    onPick(id)
  }
  return (
    <Popover anchor={anchor} role="dialog" label={label} onClose={onClose}>
      <div class="picker">
        <input
          class="field"
          placeholder={label}
          aria-label={label}
          value={words}
          role="combobox"
          aria-expanded={found.length > 0}
          aria-controls="picked"
          aria-autocomplete="list"
          aria-activedescendant={found[chosen] ? `picked-${chosen}` : undefined}
          onInput={(event) => {
            setWords(event.currentTarget.value)
            setChosen(0)
          }}
          onKeyDown={onKeyDown}
        />
        {found.length === 0 && (
          <p class="picker-none" role="status">
            {t.inbox.noMatch}
          </p>
        )}
        <div id="picked" role="listbox" aria-label={label}>
          {found.map(({ id, name, picture }, index) => (
            <button
              key={id}
              type="button"
              id={`picked-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === chosen}
              onClick={() => pick(id)}
            >
              {picture}
              <span class="one-line" dir="auto">
                {name}
              </span>
            </button>
          ))}
        </div>
      </div>
    </Popover>
  )
}

interface DatePickerProps {
  readonly anchor: Element
  readonly range: NonNullable<SearchAddress['range']>
  readonly onPick: (range: NonNullable<SearchAddress['range']>) => void
  readonly onClose: () => void
}

function DatePicker({ anchor, range, onPick, onClose }: DatePickerProps) {
  const [after, setAfter] = useState(range.after ?? '')
  const [before, setBefore] = useState(range.before ?? '')
  const pick = (next: DatePickerProps['range']) => {
    onClose()
    onPick(next)
  }
  return (
    <Popover anchor={anchor} role="dialog" label={r.search.date} onClose={onClose}>
      <div class="picker">
        <ul>
          {Object.entries(r.search.days).map(([days, name]) => (
            <li key={days}>
              <button type="button" onClick={() => pick({ after: daysAgo(Number(days)) })}>
                {name}
              </button>
            </li>
          ))}
          <li>
            <button type="button" onClick={() => pick({})}>
              {r.search.anyTime}
            </button>
          </li>
        </ul>
        <MenuLine />
        <form
          class="picker-days"
          onSubmit={(event) => {
            event.preventDefault()
            pick({ ...(isDay(after) ? { after } : {}), ...(isDay(before) ? { before } : {}) })
          }}
        >
          {(
            [
              [r.search.after, after, setAfter, { max: before }],
              [r.search.before, before, setBefore, { min: after }],
            ] as const
          ).map(([name, value, set, limit]) => (
            <Fragment key={name}>
              <label class="labelled">
                <span>{name}</span>
                <input
                  class="field"
                  type="date"
                  {...limit}
                  value={value}
                  onInput={(event) => set(event.currentTarget.value)}
                />
              </label>
            </Fragment>
          ))}
          <div class="dialog-buttons">
            <Button type="submit" kind="main">
              {r.search.apply}
            </Button>
          </div>
        </form>
      </div>
    </Popover>
  )
}

function daysAgo(days: number): string {
  const day = new Date()
  day.setDate(day.getDate() - days)
  return dayOf(day)
}

function rangeName({ after, before }: DatePickerProps['range']): string | undefined {
  const name = (day: string) =>
    new Intl.DateTimeFormat(locale(), { dateStyle: 'medium' }).format(new Date(`${day}T12:00:00`))
  if (after !== undefined && before !== undefined)
    return r.search.between({ from: name(after), to: name(before) })
  if (after !== undefined) return r.search.since(name(after))
  return before === undefined ? undefined : r.search.until(name(before))
}
