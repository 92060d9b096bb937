import { onDemand } from '../../ui/on-demand.tsx'
import { shownList } from '../conversation/selection.ts'
import { EmojiPicker } from '../emoji/lazy-picker.ts'
import { close, surface } from './surface.ts'

const UserCard = onDemand(async () => {
  const { UserCard: card, loadFrameTexts } = await import('../people/user-card.tsx')
  await loadFrameTexts()
  return card
})
const GroupCard = onDemand(() => import('../people/group-card.tsx').then(({ GroupCard: card }) => card))
const MessageMenu = onDemand(() => import('./message-menu.tsx').then(({ MessageMenu: menu }) => menu))
const MessageDialog = onDemand(() =>
  import('./message-dialogs.tsx').then(({ MessageDialog: dialog }) => dialog),
)
const PictureViewer = onDemand(async () => {
  const { PictureViewer: viewer, loadReadingTexts } = await import('./picture-viewer.tsx')
  await loadReadingTexts()
  return viewer
})

const PdfViewer = onDemand(async () => {
  const { PdfViewer: viewer, loadReadingTexts } = await import('./pdf-viewer.tsx')
  await loadReadingTexts()
  return viewer
})

export function Surfaces() {
  const shown = surface.value
  if (!shown) return null
  switch (shown.kind) {
    case 'user':
      return <UserCard key={`${shown.userId} ${shown.onRest}`} {...shown} />
    case 'group':
      return <GroupCard key={shown.groupId} groupId={shown.groupId} anchor={shown.anchor} />
    case 'emoji':
      return <EmojiPicker {...shown} onClose={close} />
    case 'menu':
      return <MessageMenu key={shown.messageId} {...shown} />
    case 'picture':
      return <PictureViewer opener={shown.opener} onClose={close} />
    case 'pdf':
      return <PdfViewer key={shown.opener.href} opener={shown.opener} onClose={close} />
    default:
      return (
        <MessageDialog key={shown.kind} kind={shown.kind} messageId={shown.messageId} onClose={closeDialog} />
      )
  }
}

/** Closes a dialog about a message. The button that had the focus before may be gone with the message's menu. */
function closeDialog(): void {
  close()
  setTimeout(() => {
    if (document.activeElement === document.body) shownList.current?.focus()
  })
}
