import { onDemand } from '../../ui/on-demand.tsx'

/** The surfaces that the compose box opens; the box has loaded their texts. */

export const PlusMenu = onDemand(() => import('./plus-menu.tsx').then(({ PlusMenu: menu }) => menu))
export const ListForm = onDemand(() => import('./list-form.tsx').then(({ ListForm: form }) => form))
export const SendMenu = onDemand(() => import('./send-menu.tsx').then(({ SendMenu: menu }) => menu))
export const GifPicker = onDemand(() => import('./gif-picker.tsx').then(({ GifPicker: picker }) => picker))
export const SnippetMenu = onDemand(() => import('./snippet-menu.tsx').then(({ SnippetMenu: menu }) => menu))
export const ScheduledDialog = onDemand(() =>
  import('./scheduled-dialog.tsx').then(({ ScheduledDialog: dialog }) => dialog),
)
export const VoiceRecorder = onDemand(() =>
  import('./voice-recorder.tsx').then(({ VoiceRecorder: recorder }) => recorder),
)
export const ZoomDialog = onDemand(() => import('./zoom-dialog.tsx').then(({ ZoomDialog: dialog }) => dialog))
export const FormatHelp = onDemand(() => import('./format-help.tsx').then(({ FormatHelp: help }) => help))
