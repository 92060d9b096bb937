import '../styles/fonts.css'
import '../styles/tokens.css'
import '../styles/base.css'
import '../ui/ui.css'
import './components.css'
import { signal } from '@preact/signals'
import { type ComponentChildren, render } from 'preact'
import { useState } from 'preact/hooks'
import { wavOf } from '../state/wav.ts'
import { AudioPlayer, loadComposeTexts } from '../ui/audio-player.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Count, Empty, Loading } from '../ui/empty.tsx'
import { FileButton, PictureField } from '../ui/file-button.tsx'
import { FilterChips } from '../ui/filter-chips.tsx'
import { FilterField, ViewFilter } from '../ui/filter-field.tsx'
import { ICON_NAMES, Icon } from '../ui/icon.tsx'
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx'
import { OrderButtons } from '../ui/order-buttons.tsx'
import { Popover } from '../ui/popover.tsx'
import { QuestionDialog } from '../ui/question.tsx'
import { Refusal } from '../ui/refusal.tsx'
import { ChoiceRow, Part, SaveMark, SwitchRow, TextRow } from '../ui/setting-row.tsx'
import { Time } from '../ui/time.tsx'
import { TimeField } from '../ui/time-field.tsx'
import { Toast, type ToastOptions, Toasts } from '../ui/toasts.tsx'
import { showTooltips } from '../ui/tooltip.ts'
import { ActButton, ActForm } from '../ui/use-action.tsx'

/** Schemes and directions, chosen in the head or by the address: `?scheme=dark&dir=rtl`. */
const chosen = new URLSearchParams(location.search)
const SCHEMES = ['light', 'dark'] as const
const DIRECTIONS = ['ltr', 'rtl'] as const

const toasts = signal<readonly (ToastOptions & { key: number })[]>([])

function toast(options: ToastOptions): void {
  const key = (toasts.value.at(-1)?.key ?? 0) + 1
  toasts.value = [...toasts.value, { ...options, key }]
}

function closeToast(key: number): void {
  toasts.value = toasts.value.filter((one) => one.key !== key)
}

function Components() {
  return (
    <>
      <header class="components-head">
        <h1>Components</h1>
        <Choices of="scheme" values={SCHEMES} />
        <Choices of="dir" values={DIRECTIONS} />
      </header>
      <main class="components">
        <Tokens />
        <Icons />
        <Buttons />
        <Fields />
        <Settings />
        <Marks />
        <Surfaces />
        <States />
      </main>
      <Toasts shown={toasts.value} onClose={closeToast} />
    </>
  )
}

function Choices({ of, values }: { readonly of: 'scheme' | 'dir'; readonly values: readonly string[] }) {
  return (
    <p class="components-row">
      {values.map((value) => {
        const address = new URLSearchParams(chosen)
        address.set(of, value)
        return (
          <a
            key={value}
            class="button"
            href={`?${address}`}
            aria-current={chosen.get(of) === value ? 'true' : undefined}
          >
            {value}
          </a>
        )
      })}
    </p>
  )
}

function Section({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

/** Returns the custom properties of the root with this prefix. */
function tokens(...beginnings: readonly string[]): string[] {
  const names = new Set<string>()
  for (const sheet of document.styleSheets) {
    for (const rule of sheet.cssRules) {
      if (!(rule instanceof CSSStyleRule) || rule.selectorText !== ':root') continue
      for (const name of rule.style) if (beginnings.some((one) => name.startsWith(one))) names.add(name)
    }
  }
  return [...names]
}

function Tokens() {
  return (
    <>
      <Section title="Type">
        <p class="sample-title">Title: twenty, strong</p>
        <p class="sample-large">Heading: seventeen, strong</p>
        <p>Text: fifteen on twenty-two. The tide was out by four, and the shop smelt of paper.</p>
        <p class="small">Small: thirteen</p>
        <p class="sample-meta">Meta: twelve and a half, 0123456789</p>
        <p>Grüße, Čeština, Ελληνικά, Кириллица</p>
        <p>
          <code>Code</code>
        </p>
      </Section>
      <Section title="Space">
        <div class="components-row">
          {tokens('--space').map((name) => (
            <span key={name} class="sample-space" style={{ inlineSize: `var(${name})` }} title={name} />
          ))}
        </div>
      </Section>
      <Section title="Colour">
        <ul class="components-grid">
          {tokens('--ground', '--line', '--text', '--mark', '--syntax')
            .filter((name) => name !== '--line-height')
            .map((name) => (
              <li key={name} class="sample-colour">
                <span style={{ background: `var(${name})` }} />
                {name.slice(2)}
              </li>
            ))}
        </ul>
      </Section>
      <Section title="Elevation">
        <div class="components-row">
          <div class="sample-ground sample-side">side</div>
          <div class="sample-ground">middle</div>
          <div class="sample-ground sample-small">small shadow</div>
          <div class="sample-ground sample-raised">raised</div>
        </div>
      </Section>
    </>
  )
}

function Icons() {
  return (
    <Section title="Icons">
      <ul class="components-grid">
        {ICON_NAMES.map((name) => (
          <li key={name} class="components-row">
            <Icon name={name} />
            {name}
          </li>
        ))}
      </ul>
    </Section>
  )
}

const KINDS = ['plain', 'main', 'danger'] as const

function Buttons() {
  const [isPressed, setPressed] = useState(true)
  return (
    <Section title="Buttons">
      {KINDS.map((kind) => (
        <div key={kind} class="components-row">
          <Button kind={kind}>Save</Button>
          <Button kind={kind} disabled>
            Disabled
          </Button>
          <Button kind={kind}>
            <Icon name="resolve" />
            Resolve
          </Button>
          <ActButton kind={kind} onAct={async () => 'It was refused.'}>
            Refused
          </ActButton>
        </div>
      ))}
      <div class="components-row">
        <IconButton icon="search" label="Search" hint="/" />
        <IconButton icon="more" label="Go anywhere" hint="Ctrl+K" />
        <IconButton
          icon="star"
          label="Pressed"
          filled={isPressed}
          aria-pressed={isPressed}
          onClick={() => setPressed(!isPressed)}
        />
        <IconButton icon="menu" label="Expanded" aria-expanded />
        <IconButton icon="trash" label="Disabled" disabled />
        <CopyButton value="copied" />
        <FileButton accept="image/*" onAct={async () => undefined}>
          Choose a file
        </FileButton>
        <OrderButtons ids={[1, 2]} id={1} name="this" onAct={async () => undefined} />
      </div>
    </Section>
  )
}

function Fields() {
  const [filter, setFilter] = useState('')
  const [time, setTime] = useState(A_TIME)
  return (
    <Section title="Fields">
      <label class="labelled">
        <span>Label</span>
        <input class="field" placeholder="Placeholder" />
      </label>
      <label class="labelled">
        <span>Disabled</span>
        <input class="field" value="Value" disabled />
      </label>
      <label class="labelled">
        <span>Choice</span>
        <select class="field">
          <option>One</option>
          <option>Another</option>
        </select>
      </label>
      <label class="check">
        <input type="checkbox" checked />
        <span>Checked</span>
      </label>
      <label class="check">
        <input type="checkbox" disabled />
        <span>Disabled</span>
      </label>
      <PictureField label="Picture" name="picture" accept="image/*">
        Choose
      </PictureField>
      <TimeField label="Time" value={time} onChange={setTime} />
      <FilterField value={filter} onFilter={setFilter} />
      <ViewFilter value="" onFilter={setFilter} />
      <FilterChips
        label="Filters"
        chips={['unread', 'followed', 'direct'].map((key) => ({
          key,
          name: key,
          isOn: key === filter,
          onClick: () => setFilter(key === filter ? '' : key),
        }))}
      />
      <Refusal>This name is taken.</Refusal>
      <ActForm button="Send" line onAct={async () => 'It was refused.'}>
        <input class="field" name="text" aria-label="Text" required />
      </ActForm>
    </Section>
  )
}

function Settings() {
  const [isOn, setOn] = useState(true)
  const [choice, setChoice] = useState('one')
  return (
    <Section title="Settings">
      <Part title="A part" hint="What it is for.">
        <SwitchRow
          label="Saved at once"
          hint="A hint."
          value={isOn}
          onSave={async (value) => {
            setOn(value)
            return undefined
          }}
        />
        <SwitchRow label="Refused" value={false} onSave={async () => 'You may not do this.'} />
        <SwitchRow label="Disabled" value disabled onSave={async () => undefined} />
        <ChoiceRow
          label="Choice"
          hint="Asks before one of them is chosen."
          value={choice}
          choices={[
            ['one', 'One'],
            ['other', 'Another'],
          ]}
          questionFor={(value) =>
            value === 'other' ? { title: 'Choose another?', text: 'Much changes.' } : undefined
          }
          onSave={async (value) => {
            setChoice(value)
            return undefined
          }}
        />
        <ChoiceRow
          label="No choice"
          value="one"
          choices={[['one', 'One']]}
          disabled
          onSave={async () => undefined}
        />
        <TextRow label="Text, refused" value="Words" onSave={async () => 'This name is taken.'} />
        <TextRow
          label="Address"
          hint="Checked by the browser."
          type="url"
          value=""
          onSave={async () => undefined}
        />
        <TextRow label="Disabled text" value="Words" disabled onSave={async () => undefined} />
        <div class="components-row">
          <SaveMark state="saving" />
          <SaveMark state="saved" />
          <SaveMark state="refused" />
        </div>
      </Part>
    </Section>
  )
}

const NAMES = ['Ada Lindqvist', 'Tomás Herrera', 'Łucja Śmigły', '李 雷', 'Solo'] as const
const A_TIME = 1_764_300_000

/** A tone of two seconds. */
const SOUND = URL.createObjectURL(
  new Blob([
    wavOf(
      Float32Array.from({ length: 16_000 }, (_, at) => Math.sin(at / 3) / 10),
      8_000,
    ),
  ]),
)

function Marks() {
  return (
    <Section title="Marks">
      <div class="components-row">
        {NAMES.map((name) => (
          <Avatar key={name} url={undefined} name={name} size={36} />
        ))}
        <Avatar url={undefined} name="Small" size={20} />
      </div>
      <div class="components-row">
        <Count count={4} label="4 unread" />
        <Count count={12} strong label="12 unread" />
        <Count count={1_234} label="1234 unread" />
        <kbd>Ctrl</kbd>
        <kbd>K</kbd>
        <Time seconds={A_TIME} />
      </div>
      <AudioPlayer src={SOUND} name="A tone of two seconds" />
    </Section>
  )
}

function Surfaces() {
  const [anchor, setAnchor] = useState<Element>()
  const [popover, setPopover] = useState<Element>()
  const [dialog, setDialog] = useState<'plain' | 'question'>()
  return (
    <Section title="Surfaces">
      <div class="components-row">
        <Button onClick={(event) => setAnchor(event.currentTarget as Element)}>Menu</Button>
        <Button onClick={(event) => setPopover(event.currentTarget as Element)}>Popover</Button>
        <Button onClick={() => setDialog('plain')}>Dialog</Button>
        <Button onClick={() => setDialog('question')}>Question</Button>
        <Button onClick={() => toast({ text: 'Link copied' })}>Toast</Button>
        <Button onClick={() => toast({ text: '12 messages marked as read', onUndo: () => {} })}>
          Toast with Undo
        </Button>
        <Button onClick={() => toast({ text: 'You may not do this.', isFailure: true })}>Failure</Button>
      </div>
      <div class="components-row">
        <Toast text="Link copied" isFailure={false} onClose={() => {}} />
        <Toast text="You may not do this." isFailure onClose={() => {}} />
      </div>
      {popover && (
        <Popover anchor={popover} label="Popover" onClose={() => setPopover(undefined)}>
          <p class="menu-note">What belongs to the button.</p>
        </Popover>
      )}
      {anchor && (
        <Menu anchor={anchor} label="Menu" onClose={() => setAnchor(undefined)}>
          <p class="menu-note">A note</p>
          <MenuItem icon="edit" hint="e">
            Edit
          </MenuItem>
          <MenuItem icon="sun" checked>
            Checked
          </MenuItem>
          <MenuLine />
          <MenuItem icon="trash" danger>
            Delete
          </MenuItem>
        </Menu>
      )}
      {dialog === 'plain' && (
        <Dialog title="A dialog" onClose={() => setDialog(undefined)}>
          <p>What it says.</p>
        </Dialog>
      )}
      {dialog === 'question' && (
        <QuestionDialog
          question={{ title: 'Delete this message?', text: 'This can’t be undone.' }}
          button="Delete"
          onAct={async () => undefined}
          onClose={() => setDialog(undefined)}
        />
      )}
    </Section>
  )
}

function States() {
  return (
    <Section title="States of a view">
      <div class="sample-view">
        <Empty icon="inbox" title="Nothing here yet">
          <p>What belongs here will appear by itself.</p>
          <Button kind="main">One action</Button>
        </Empty>
      </div>
      <div class="sample-view">
        <Loading label="Loading" />
      </div>
    </Section>
  )
}

const scheme = chosen.get('scheme')
if (scheme) document.documentElement.dataset.scheme = scheme
document.documentElement.dir = chosen.get('dir') ?? 'ltr'
showTooltips()
void loadComposeTexts().then(() => render(<Components />, document.getElementById('page')!))
