import type { Example } from '../example.ts'

const post = (type: string, translationKey: string | undefined, data: object, more: object = {}) => ({
  action: {
    id: '51f9424bcd6e040f3c002412',
    idMemberCreator: '4fc78a59a885233f4b349bd9',
    data: { board: { name: 'Engine', id: '4d5ea62fd76aa1136000000c', shortLink: 'kl1' }, ...data },
    type,
    date: '2026-11-02T10:40:00.000Z',
    memberCreator: { id: '4fc78a59a885233f4b349bd9', fullName: 'Ada Lovelace', username: 'ada' },
    ...(translationKey === undefined ? {} : { display: { translationKey, entities: {} } }),
    ...more,
  },
  model: { id: '4d5ea62fd76aa1136000000c', name: 'Engine', url: 'https://trello.com/b/kl1/engine' },
})
const card = { name: 'Count [the] turns', id: '5', idShort: 4, shortLink: 'JCyZZeBx' }

export const TRELLO_EXAMPLES: readonly Example[] = [
  {
    what: 'a new card',
    body: post('createCard', 'action_create_card', { card, list: { name: 'To do', id: '1' } }),
    messages: [
      {
        topic: 'Engine',
        text: 'Ada Lovelace created [Count &#91;the&#93; turns](https://trello.com/c/JCyZZeBx) in list **To do**.',
      },
    ],
  },
  {
    what: 'a card that is moved',
    isShown: true,
    body: post('updateCard', 'action_move_card_from_list_to_list', {
      card,
      listBefore: { name: 'To do' },
      listAfter: { name: 'Done' },
      old: { idList: '1' },
    }),
    messages: [
      {
        topic: 'Engine',
        text: 'Ada Lovelace moved [Count &#91;the&#93; turns](https://trello.com/c/JCyZZeBx) from **To do** to **Done**.',
      },
    ],
  },
  {
    what: 'a comment',
    body: post('commentCard', 'action_comment_on_card', { card, text: 'Why **two**?' }),
    messages: [
      {
        topic: 'Engine',
        text: 'Ada Lovelace commented on [Count &#91;the&#93; turns](https://trello.com/c/JCyZZeBx):\n\n~~~ quote\nWhy **two**?\n~~~',
      },
    ],
  },
  {
    what: 'a due date',
    body: post('updateCard', 'action_added_a_due_date', {
      card: { ...card, due: '2026-12-01T12:00:00.000Z' },
      old: { due: null },
    }),
    messages: [
      {
        topic: 'Engine',
        text: 'Ada Lovelace set the due date of [Count &#91;the&#93; turns](https://trello.com/c/JCyZZeBx) to <time:2026-12-01T12:00:00Z>.',
      },
    ],
  },
  {
    what: 'a person on a card',
    body: post('addMemberToCard', 'action_added_member_to_card', { card }, { member: { fullName: 'Grace' } }),
    messages: [
      {
        topic: 'Engine',
        text: 'Ada Lovelace added **Grace** to [Count &#91;the&#93; turns](https://trello.com/c/JCyZZeBx).',
      },
    ],
  },
  {
    what: 'a label',
    body: post('addLabelToCard', 'action_add_label_to_card', { card, label: { name: 'bug', color: 'red' } }),
    messages: [
      {
        topic: 'Engine',
        text: 'Ada Lovelace added the label **bug** to [Count &#91;the&#93; turns](https://trello.com/c/JCyZZeBx).',
      },
    ],
  },
  {
    what: 'a list',
    body: post('createList', 'action_added_list_to_board', { list: { name: 'Later' } }),
    messages: [{ topic: 'Engine', text: 'Ada Lovelace added the list **Later**.' }],
  },
  {
    what: 'a card that is moved up',
    body: post('updateCard', 'action_moved_card_higher', { card }),
    messages: [],
  },
  { what: 'a change that nobody sees', body: post('updateCard', undefined, { card }), messages: [] },
  {
    what: 'values of other types',
    body: {
      action: {
        type: 'createCard',
        display: { translationKey: 'action_create_card' },
        data: { card: [], list: 7 },
        memberCreator: 'ada',
      },
    },
    messages: [{ topic: 'Trello', text: 'Someone created a card.' }],
  },
  {
    what: 'another event',
    body: post('voteOnCard', 'action_vote_on_card', { card }),
    unsupported: 'vote_on_card',
  },
]
