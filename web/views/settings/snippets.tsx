import { useState } from 'preact/hooks'
import { changeSnippet, createSnippet, deleteSnippet } from '../../actions/snippets.ts'
import { state, watch } from '../../chat.ts'
import type { SavedSnippet } from '../../state/wire.ts'
import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Part } from '../../ui/setting-row.tsx'
import { ActButton, ActForm } from '../../ui/use-action.tsx'
import { MarkdownField } from '../compose/form-fields.ts'
import { refusalOf, undoable } from './fetched.tsx'

/** Length of a title, as on the server. */
const MAX_TITLE = 60

/** The user's saved snippets, which can be inserted in the compose box. */
export function SnippetsSection() {
  watch('snippets')
  const snippets = [...state.snippets.values()].sort((a, b) => a.title.localeCompare(b.title))
  return (
    <Part hint={s.snippets.hint}>
      <SnippetForm button={s.add} onSave={createSnippet} />
      {snippets.length === 0 ? (
        <p class="setting-nothing">{s.snippets.nothing}</p>
      ) : (
        <ul class="items spaced">
          {snippets.map((snippet) => (
            <Snippet key={snippet.id} snippet={snippet} />
          ))}
        </ul>
      )}
    </Part>
  )
}

function Snippet({ snippet }: { readonly snippet: SavedSnippet }) {
  const { id, title, content } = snippet
  const [isChanging, setChanging] = useState(false)
  if (isChanging) {
    return (
      <li class="item">
        <SnippetForm
          button={t.save}
          before={snippet}
          onSave={(...values) => changeSnippet(id, ...values)}
          onEnd={() => setChanging(false)}
        />
      </li>
    )
  }
  return (
    <li class="item">
      <span class="item-main">
        <span>{title}</span>
        <span class="small soft one-line" dir="auto">
          {content}
        </span>
      </span>
      <span class="item-end">
        <Button label={`${s.change}: ${title}`} onClick={() => setChanging(true)}>
          {s.change}
        </Button>
        <ActButton
          label={s.remove(title)}
          onAct={() => undoable(deleteSnippet(id), s.removed(title), () => createSnippet(title, content))}
        >
          {s.removeShort}
        </ActButton>
      </span>
    </li>
  )
}

interface SnippetFormProps {
  readonly button: string
  readonly before?: SavedSnippet
  readonly onSave: (title: string, content: string) => Promise<void>
  readonly onEnd?: () => void
}

function SnippetForm({ button, before, onSave, onEnd }: SnippetFormProps) {
  const [content, setContent] = useState(before?.content ?? '')
  return (
    <ActForm
      button={button}
      onAct={async (form) => {
        const refusal = await refusalOf(onSave(String(form.get('title')).trim(), content.trim()))
        if (refusal === undefined) setContent('')
        return refusal
      }}
      onDone={onEnd}
      onCancel={onEnd}
    >
      <label class="labelled">
        <span>{s.snippets.title}</span>
        <input
          class="field"
          name="title"
          required
          maxLength={MAX_TITLE}
          autocomplete="off"
          defaultValue={before?.title}
        />
      </label>
      <MarkdownField
        label={s.snippets.text}
        name="content"
        required
        maxLength={state.server.max_message_length}
        value={content}
        onValue={setContent}
      />
    </ActForm>
  )
}
