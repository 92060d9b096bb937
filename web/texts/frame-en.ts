/** Texts of the own menu, of the status and of what Ctrl+K does. */
export const frameEn = {
  status: {
    set: 'Set a status',
    edit: 'Edit status',
    clear: 'Clear status',
    title: 'Status',
    text: 'What’s your status?',
    emoji: 'Choose an emoji',
    noEmoji: 'Remove emoji',
    presets: 'Suggestions',
    names: {
      meeting: 'In a meeting',
      commuting: 'Commuting',
      sick: 'Out sick',
      away: 'On vacation',
      remote: 'Working remotely',
    },
    clearAfter: 'Clear after',
    expiries: {
      never: 'Don’t clear',
      half: '30 minutes',
      hour: '1 hour',
      four: '4 hours',
      today: 'Today',
      week: 'This week',
    },
    expiryHint:
      'This browser clears it. If Parley isn’t open here then, it’s cleared the next time you open it.',
    until: (time: string): string => `Until ${time}`,
  },
  goInvisible: 'Appear away',
  goVisible: 'Show when I’m active',
  quiet: {
    title: 'Pause notifications',
    pauses: { half: 'For 30 minutes', hour: 'For 1 hour', tomorrow: 'Until tomorrow' },
    schedule: 'Notification schedule',
    scheduleHint:
      'Notifications and sounds from this page are paused every day between these times. Push notifications still arrive while it’s closed.',
    daily: 'Pause every day',
    from: 'From',
    to: 'To',
    isOn: (time: string): string => `Paused until ${time}`,
    isScheduled: 'Paused by your schedule',
    resume: 'Resume notifications',
  },
  palette: {
    markAllRead: 'Mark everything as read',
    markReadHere: 'Mark this conversation as read',
    copyLink: 'Copy link to this view',
    followTopic: 'Follow this topic',
    unfollowTopic: 'Unfollow this topic',
    muteTopic: 'Mute this topic',
    unmuteTopic: 'Unmute this topic',
    scheduled: 'Scheduled messages',
    reminders: 'Reminders',
    togglePeople: 'Show or hide people',
    pause: 'Pause notifications for 1 hour',
    theme: 'Theme',
    signOut: 'Sign out',
  },
}

export type FrameTexts = typeof frameEn
