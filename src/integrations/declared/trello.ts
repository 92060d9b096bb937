import { signedBy } from '../signatures.ts'
import { declared, type Words } from './declaration.ts'

const BY = '{{action.memberCreator.fullName | or: action.memberCreator.username | default: "Someone"}}'
const CARD =
  '[{{action.data.card.name | default: "a card"}}](https://trello.com/c/{{action.data.card.shortLink}})'
const did = (text: string, more: Partial<Words> = {}): Words => ({ says: `${BY} ${text}`, ...more })
const MEMBER = '**{{action.member.fullName | or: action.data.member.name | default: "someone"}}**'
const LIST = '{{? **{{action.data.list.name}}**?}}'
const CHECKLIST = '{{? **{{action.data.checklist.name}}**?}}'
const ITEM = '**{{action.data.checkItem.name | default: "an item"}}**'

/** Cards and lists of a board of Trello. Source: docs/interface/webhooks.md#services. */
export const trello = declared({
  name: 'trello',
  displayName: 'Trello',
  answersHead: true,
  // The key of the display says what has changed; the type alone does not.
  event: '{{action.display.translationKey | after: "action_" | or: action.type}}',
  id: '{{action.id}}',
  topic: '{{action.data.board.name | or: model.name}}',
  ...signedBy('X-Trello-Webhook', { algorithm: 'sha1', encoding: 'base64', withAddress: true }),
  events: {
    create_card: did(`created ${CARD}{{? in list **{{action.data.list.name}}**?}}`),
    copy_card: did(`copied ${CARD}{{? from **{{action.data.cardSource.name}}**?}}`),
    delete_card: did('deleted a card{{? in list **{{action.data.list.name}}**?}}'),
    archived_card: did(`archived ${CARD}`),
    sent_card_to_board: did(`brought ${CARD} back to the board`),
    renamed_card: did(`renamed ${CARD}{{? (before: {{action.data.old.name}})?}}`),
    changed_description_of_card: did(`changed the description of ${CARD}`, {
      quotes: '{{action.data.card.desc}}',
    }),
    move_card_from_list_to_list: did(
      `moved ${CARD}{{? from **{{action.data.listBefore.name}}** to **{{action.data.listAfter.name}}**?}}`,
    ),
    moved_card_higher: null,
    moved_card_lower: null,
    move_card_to_board: did(`moved ${CARD} here{{? from board **{{action.data.boardSource.name}}**?}}`),
    move_card_from_board: did(`moved ${CARD} away{{? to board **{{action.data.boardTarget.name}}**?}}`),
    comment_on_card: did(`commented on ${CARD}`, { quotes: '{{action.data.text}}' }),
    edit_comment: did(`edited a comment on ${CARD}`, { quotes: '{{action.data.action.text}}' }),
    updateComment: did(`edited a comment on ${CARD}`, { quotes: '{{action.data.action.text}}' }),
    deleteComment: did(`deleted a comment on ${CARD}`),
    member_joined_card: did(`joined ${CARD}`),
    member_left_card: did(`left ${CARD}`),
    added_member_to_card: did(`added ${MEMBER} to ${CARD}`),
    removed_member_from_card: did(`removed ${MEMBER} from ${CARD}`),
    added_a_due_date: did(`set the due date of ${CARD}{{? to {{action.data.card.due | time}}?}}`),
    changed_a_due_date: did(`changed the due date of ${CARD}{{? to {{action.data.card.due | time}}?}}`),
    removed_a_due_date: did(`removed the due date of ${CARD}`),
    marked_the_due_date_complete: did(`completed ${CARD}`),
    marked_the_due_date_incomplete: did(`marked ${CARD} as not complete`),
    add_label_to_card: did(
      `added the label {{action.data.label.name | or: action.data.text | or: action.data.value | default: "without a name" | bold}} to ${CARD}`,
    ),
    remove_label_from_card: did(
      `removed the label {{action.data.label.name | or: action.data.text | or: action.data.value | default: "without a name" | bold}} from ${CARD}`,
    ),
    add_attachment_to_card: did(
      `attached [{{action.data.attachment.name | default: "a file"}}]({{action.data.attachment.url}}) to ${CARD}`,
    ),
    delete_attachment_from_card: did(
      `removed the attachment{{? **{{action.data.attachment.name}}**?}} of ${CARD}`,
    ),
    add_checklist_to_card: did(`added the checklist${CHECKLIST} to ${CARD}`),
    remove_checklist_from_card: did(`removed the checklist${CHECKLIST} from ${CARD}`),
    createCheckItem: did(`added ${ITEM} to a checklist of ${CARD}`),
    completed_checkitem: did(`completed ${ITEM} of ${CARD}`),
    marked_checkitem_incomplete: did(`marked ${ITEM} of ${CARD} as not complete`),
    add_list_to_board: did(`added the list${LIST}`),
    added_list_to_board: did(`added the list${LIST}`),
    archived_list: did(`archived the list${LIST}`),
    sent_list_to_board: did(`brought the list${LIST} back`),
    renamed_list: did(`renamed the list${LIST}{{? (before: {{action.data.old.name}})?}}`),
    added_member_to_board: did(`added ${MEMBER} to the board`),
    removed_from_board: did(`removed ${MEMBER} from the board`),
    member_joined_board: did('joined the board'),
    renamed_board: did('renamed the board{{? (before: {{action.data.old.name}})?}}'),
    create_board: did('created the board'),
    updateCard: null,
    updateCheckItem: null,
    updateLabel: null,
    updateList: null,
    updateBoard: null,
    enablePlugin: null,
    disablePlugin: null,
  },
})
