/**
 * The budgets of commits: how much one of them changes, so that a turn of the object stays short, and how much
 * one request changes in several (docs/decisions/design.md#everything-has-a-limit).
 */

/**
 * Messages that one commit deletes, whether a topic is deleted or old messages are: some 10 rows and 60 µs
 * each, with everything that belongs to them and the batch for D1 that follows in the same turn. A topic of
 * 100,000 takes 400 commits.
 */
export const DELETED_IN_ONE_COMMIT = 250

/**
 * The part of what is due that follows a clock in one commit when it was set back, some 10 µs a row: rows of one statement, and rows
 * read, after which no other statement begins.
 */
export const HASTENED_IN_ONE_COMMIT = { rowsAtOnce: 1_000, rowsRead: 2_000 } as const

/**
 * Rows that belong to the messages that one commit deletes (reactions, submessages, flags, links, reminders), some 3 µs each: a mention of
 * a large group alone has thousands. One message is deleted however many it has, and a job removes further reminders.
 */
export const ROWS_OF_DELETED_MESSAGES = 5_000

/** Channels and conversations of messages that one commit deletes because they are somebody's: some 0.3 ms each, to find who had them. */
export const RECIPIENTS_OF_DELETED_MESSAGES = 25

/**
 * Reminders of deleted messages that one commit removes, some 70 µs each: with its job, an event for its owner, and what counts for quotas.
 * Everybody may have hundreds about the same message.
 */
export const REMINDERS_REMOVED_IN_ONE_COMMIT = 200

/** Entries of the log that one turn of housekeeping deletes, some 3 µs each, and their bytes, 1 to 2 ms a megabyte. */
export const LOG_DELETED_AT_ONCE = { entries: 4_000, bytes: 8_000_000 } as const

/**
 * The work of one run of the job that deletes an organization, some seconds long: lists of files, each of up
 * to a thousand keys, as many as R2 lists and deletes at once; and batches of D1, each of a limited number of rows.
 * The next run follows at once. A million messages are 2,000 batches.
 */
export const DELETION_OF_ONE_RUN = {
  fileLists: 20,
  filesAtOnce: 1_000,
  batches: 20,
  rowsAtOnce: 1_000,
} as const

/**
 * Messages that the event of one move names. A topic is renamed in one commit, however long it is; its events
 * name this number of messages each, so that an event fits into a row (2 MB) and over a socket (1 MiB).
 */
export const MOVED_IN_ONE_EVENT = 50_000

/**
 * Messages that one commit moves where each message has to be written: to another channel, into another
 * topic's messages, or out of their own topic. Some 40 rows and 45 µs each.
 */
export const MOVED_IN_ONE_COMMIT = 250

/**
 * Blocks of read messages, some 20 µs each, that one commit reads or writes for people to whom a move gives messages, and the most
 * people at a time; but never less than a part of them, so that messages in hundreds of blocks come to an end too.
 */
export const MARKED_READ_IN_ONE_COMMIT = { blocks: 1_000, leastPart: 1 / 40 } as const

/**
 * Rows that one commit writes because a mention of everybody was not for people to whom a move gives the message, some 3 µs each. One
 * such message is moved whoever gets it.
 */
export const UNMENTIONED_IN_ONE_COMMIT = 5_000

/**
 * Rows that one commit looks at to find the unread messages of a channel or a topic, and so the messages that it marks as read, some 7 µs a
 * row; and some 3 ms besides.
 */
export const READ_IN_ONE_COMMIT = 2_500

/**
 * Messages whose flag one commit sets or clears, and rows that it looks at to find them: 10 to 25 µs each: a
 * hundred thousand take 100 commits.
 */
export const FLAGGED_IN_ONE_COMMIT = 1_000

/**
 * Subscriptions that one commit begins or ends: a row or two and 60 µs each, and the unread messages of
 * people who leave.
 */
export const SUBSCRIPTIONS_IN_ONE_COMMIT = 300

/**
 * Subscriptions of those who join, of which one commit reads the colours to choose others: 2.5 to 5 µs each, since no two are neighbours
 * in the database. Where everybody is in hundreds of channels that is more work than all the rest.
 */
export const COLORS_READ_IN_ONE_COMMIT = 1_200

/** Subscriptions that one request begins or ends: everybody of a large organization in two channels. */
export const SUBSCRIPTIONS_OF_ONE_REQUEST = 20_000

/** Personal settings of channels that one commit changes: some 50 µs each, with an event or two. */
export const CHANNEL_SETTINGS_IN_ONE_COMMIT = 300

/**
 * Subscriptions that an account may have ended and still begin others: a row of each stays, since it says which messages and events the
 * account has received.
 */
export const ENDED_SUBSCRIPTIONS_OF_ACCOUNT = 50_000

/**
 * People who leave channels in one commit: finding the unread messages of each there takes 0.1 to 0.3 ms, even if
 * there are none.
 */
export const LEAVING_IN_ONE_COMMIT = 45

/**
 * Channels that somebody joins or leaves in one commit, some 1 ms each; and their subscribers, whose names
 * the new subscriber gets, two rows and 2 µs each. The last of the channels may have more.
 */
export const CHANNELS_IN_ONE_COMMIT = 20
export const SUBSCRIBERS_NOTIFIED_IN_ONE_COMMIT = 2_000

/**
 * Channels that somebody gets to know of by one commit, and their subscribers, for the events of which there is time: some 30 µs a
 * channel and 1 µs a subscriber. Whoever gets to know more loses the queues, and clients register again.
 */
export const CHANNELS_GAINED_IN_EVENTS = { channels: 300, subscribers: 20_000 } as const

/**
 * Memberships that one commit reads, before users become members of a group or after they have left it, to find who sees which private
 * channels: some 0.15 µs each; how often it looks whether a user is among those who see a sort of channels; and the users whom its events
 * go to, counted once for each event. If there are more, those concerned lose their queues, and clients register again.
 */
export const CHANNELS_SEEN_THROUGH_GROUPS = { rows: 100_000, checks: 300_000, receivers: 200_000 } as const

/**
 * People whom a guest gets to know, or loses, by one commit, for the events of which there is time; and the rows that are read to find
 * them, for all guests. Guests with more, or whose turn does not come, lose the queues, and their clients register again.
 */
export const PEOPLE_SHOWN_IN_EVENTS = { people: 300, rows: 60_000 } as const

/**
 * Ids of channels, and of people who see them by a permission, in the audience of one event about many channels; or one part of it.
 * Looking at an event is not interrupted.
 */
export const IDS_OF_ONE_AUDIENCE = 1_000

/** New channels of one request, all made in one commit: some 0.2 ms each. */
export const NEW_CHANNELS_OF_ONE_REQUEST = 200

/** Characters of descriptions, or of a profile, that are rendered in one commit: some 1 µs each (markdown/rendering-cost.ts). */
export const RENDERED_IN_ONE_COMMIT = 20_000

/**
 * Members of a group that one commit adds or removes: some 5 µs each, and for each private channel that they see by the group some
 * 100 µs.
 */
export const MEMBERS_IN_ONE_COMMIT = 1_000

/**
 * Changes of groups' members under way that take several commits, for one account and together: all are read to count what they are still
 * to add for the quota, and nobody keeps others from theirs.
 */
export const OPEN_GROUP_CHANGES = { account: 2, organization: 20 } as const

/**
 * Subscriptions of accounts that one commit closes, some 7 µs each; and what each account counts beside its own. One account is closed
 * however many it has. The bots of somebody, a hundred at most, may be in 5,000 channels each.
 */
export const CLOSED_IN_ONE_COMMIT = { subscriptions: 3_000, besides: 400 } as const

/** Bots of one owner whose new role one commit announces, some 0.3 ms each. */
export const BOTS_LOWERED_IN_ONE_COMMIT = 30

/** Users whose settings for a topic follow it in one commit when it gets another name, or is deleted: some 40 µs and 10 rows each. */
export const TOPIC_SETTINGS_IN_ONE_COMMIT = 500

/**
 * Settings of other people that one commit changes, some 100 µs each, with an event or two; and the people whom it looks at to find them.
 */
export const SETTINGS_OF_OTHERS_IN_ONE_COMMIT = { changes: 150, people: 500 } as const

/** Values of a profile field that one commit withdraws: some 40 µs each, with an event for each. */
export const PROFILE_VALUES_IN_ONE_COMMIT = 250

/** Messages of one commit that inform people about one change: some 8 rows and 0.7 ms to 1 ms each. */
export const NOTICES_IN_ONE_COMMIT = 20

/** Milliseconds between two commits of one request, for everybody else's calls; and those that a commit takes, roughly. */
export const PAUSE_BETWEEN_COMMITS = { rest: 20, ms: 25 } as const

/**
 * Milliseconds after which no further commit of a request is started, and its client is asked to repeat it.
 */
export const COMMITS_OF_ONE_REQUEST_MS = 50_000

/**
 * Events by which one commit announces the groups of an account that is closed or opened, and the permissions of groups and channels that
 * name it: some 60 µs each. The people in the value and in the audience of an event, and the checks who of those that do not see the
 * account sees a channel, take as long as an event if they are so many. An account may be named in all groups and channels.
 */
export const NAMING_IN_ONE_COMMIT = { events: 150, peopleAsEvent: 200, checksAsEvent: 15 } as const
