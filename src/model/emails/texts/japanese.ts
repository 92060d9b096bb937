import type { MailTexts } from './english.ts'

export const JAPANESE: MailTexts = {
  language: 'ja',
  emptyTopic: '一般の会話',
  greeting: (name) => (name === undefined ? 'こんにちは。' : `${name} さん`),
  occasion: {
    device: (program, system) => `${system ?? '不明なシステム'} の ${program ?? '不明なプログラム'}`,
    time: (time) => `日時：${time}`,
    by: (device) => `使用したもの：${device}`,
    from: (network) => `接続元：${network}`,
  },
  unknownWithoutPassword: (url) =>
    `心当たりがなければ、ここですべてのセッションからログアウトし、ログインプロバイダーのアカウントを保護して、管理者に連絡してください：\n${url}`,
  login: {
    subject: (device) => `${device} からの新しいログイン`,
    happened: (address, organization, origin) =>
      `${address} として ${organization}（${origin}）へのログインがありました。これまで使われたことのないプログラムからです。`,
    wellKnown: '心当たりがあれば、何もする必要はありません。',
    unknown: (url) =>
      `心当たりがなければ、すぐに新しいパスワードを設定してください。古いパスワードで始まったセッションも終了します：\n${url}`,
    unsubscribe: '新しいログインのメールを停止',
  },
  credentials: {
    password: {
      subject: (organization) => `${organization} のパスワードが変更されました`,
      happened: (address, organization) => `${organization} の ${address} のパスワードが変更されました。`,
    },
    apiKey: {
      subject: (organization) => `${organization} の API キーが新しくなりました`,
      happened: (address, organization) =>
        `${organization} の ${address} に新しい API キーが作成されました。古いキーは無効になり、それを使うプログラムはログアウトされます。`,
    },
    factorAdded: {
      subject: (organization) => `${organization} の 2 段階認証：方法の追加`,
      happened: (address, organization) =>
        `${organization} のアカウント ${address} に認証アプリまたはパスキーが追加されました。今後はパスワードだけではログインできません。`,
    },
    factorRemoved: {
      subject: (organization) => `${organization} の 2 段階認証：方法の削除`,
      happened: (address, organization) =>
        `${organization} のアカウント ${address} から認証アプリまたはパスキーが削除されました。`,
    },
    factorsReset: {
      subject: (organization) => `${organization} の 2 段階認証がリセットされました`,
      happened: (address, organization) =>
        `管理者が ${organization} の ${address} の認証アプリ、パスキー、リカバリーコードを削除しました。設定で 2 段階認証をもう一度設定してください。`,
    },
    recoveryCodes: {
      subject: (organization) => `${organization} の新しいリカバリーコード`,
      happened: (address, organization) =>
        `${organization} の ${address} に新しいリカバリーコードが作成されました。古いコードは使えません。`,
    },
    loginConnected: {
      subject: (organization) => `${organization} への新しいログイン方法`,
      happened: (address, organization) =>
        `${organization} のアカウント ${address} がログインプロバイダーのアカウントと連携しました。今後はそのアカウントでもログインできます。`,
    },
    tokensConnected: {
      subject: (organization) => `${organization} への新しいログイン方法`,
      happened: (address, organization) =>
        `${organization} のアカウント ${address} は、今後、組織の別のシステムがトークンで開けるようになりました。`,
    },
    unknown: (url) =>
      `心当たりがなければ、すぐに新しいパスワードを設定し、管理者に連絡してください：\n${url}`,
  },
  addressChange: {
    subject: (organization) => `${organization} のメールアドレスが変更されました`,
    happened: (organization, newAddress) =>
      `${organization} のアカウントのメールアドレスは、今後 ${newAddress} です。ログインにはこのアドレスを使い、メールもこのアドレスに届きます。`,
    given: (organization, newAddress) =>
      `${organization} でのあなたのアカウントのメールアドレスが ${newAddress} に設定されました。あなたが確認するまで、このアドレスでアカウントは開けません。それまではこれまでどおりにログインでき、アカウントについてのメールはここに届きます。`,
    confirm: (url) =>
      `これが現在のあなたのアドレスなら、1 日以内にこのリンクで確認するか、このアドレスとパスワードでログインしてください：\n${url}`,
    byAdministrator: '管理者が変更しました。',
    unknown: '心当たりがなければ、すぐに組織の管理者に連絡してください。',
  },
  addressCheck: {
    subject: (organization) => `${organization} の新しいメールアドレスの確認`,
    happened: (organization, oldAddress) =>
      `このアドレスを ${organization} のアカウントの新しいメールアドレスにします。これまでのアドレスは ${oldAddress} です。`,
    link: (url) => `確認するには、次のリンクを開いてください：\n${url}`,
    validity: 'リンクは 1 日間有効です。心当たりがなければ、何もしないでください。何も変わりません。',
  },
  addressProof: {
    subject: (organization) => `${organization} のメールアドレスの確認`,
    happened: (name, organization) =>
      `このメールアドレスで ${organization} に ${name} さんのアカウントが作成されました。確認が済むまで、ほかのメールは届きません。`,
    validity: 'リンクは 1 日間有効です。自分のアカウントでなければ、何もしないでください。',
  },
  signUp: {
    subject: (organization) => `${organization} に参加`,
    happened: (referrer, organization) =>
      `${referrer} さんの招待リンクから、このメールアドレスで ${organization} への参加が申し込まれました。`,
    link: (url) => `アカウントを作成するには、次のリンクを開いてください：\n${url}`,
    validity:
      'リンクは 1 日間有効です。心当たりがなければ、何もしないでください。アカウントは作成されません。',
    hasAccount: (organization, url) =>
      `${organization} のアカウントはすでにあります。こちらからログインしてください：\n${url}`,
  },
  passwordReset: {
    subject: (organization) => `${organization} の新しいパスワード`,
    happened: (organization) => `${organization} のアカウントに新しいパスワードの設定が申し込まれました。`,
    link: (url) => `設定するには、次のリンクを開いてください：\n${url}`,
    validity: 'リンクは 1 日間有効です。心当たりがなければ、何もしないでください。パスワードは変わりません。',
  },
  connection: {
    subject: (organization) => `${organization} への新しいログイン方法を許可しますか？`,
    happened: (address, organization, name) =>
      `誰か（おそらくあなた）が ${name ?? '組織の別のシステム'} を使って ${address} として ${organization} にログインしようとしました。このアカウントはこれまでそれなしで使われてきたため、一度許可が必要です。`,
    link: (url) => `許可するには、このリンクを開いてください：\n${url}`,
    validity:
      'リンクの有効期限は 1 日です。心当たりがない場合、何もする必要はありません。この方法では誰もログインできませんが、管理者に知らせてください。',
  },
  ofAccounts: {
    address: {
      subject: (name, organization) => `${organization} の ${name} さんのアドレスが変更されました`,
      happened: (name, before, address, by) =>
        `${by ?? 'ID プロバイダー（SCIM）'} が ${name} さんのメールアドレスを ${before} から ${address} に変更しました。`,
      unconfirmed: (name) =>
        `${name} さんが確認するまで、このアドレスでアカウントは開けません。あなたは組織のオーナーなので、このメールが届いています。`,
    },
    opened: {
      subject: (name, organization) =>
        `${organization} の ${name} さんのアカウントが新しい方法で開かれました`,
      happened: (name, address, way) =>
        `誰かが ${way ?? '別のシステムのトークン'} を使って ${name} さん（${address}）としてログインしました。このアカウントはそれと連携していませんでした。`,
    },
    allowed:
      'サーバーの運営者がこれを許可しています（OWNER_ACCOUNT_ACCESS）。あなたは組織のオーナーなので、このメールが届いています。',
  },
  importedAccount: {
    subject: (organization) => `${organization} のあなたのアカウント`,
    happened: (organization) =>
      `${organization} が、これまでのメッセージとともにここへ移転しました。あなたのアカウントも用意されています。`,
    link: (url) => `パスワードを設定して参加するには、次のリンクを開いてください：\n${url}`,
    validity: (url) =>
      `リンクは 1 日間有効です。期限が過ぎたら、こちらで新しいリンクを取得できます：\n${url}`,
    logIn: (url, ways) =>
      `${ways === '' ? '' : `${ways} で`}ログインするには、次のページを開いてください：\n${url}`,
    address: (address) => `メールアドレス ${address} のアカウントを使ってください。`,
  },
  invitation: {
    subject: (referrer, organization) => `${referrer} さんから ${organization} への招待`,
    reminder: (organization) => `リマインダー：${organization} への招待`,
    happened: (referrer, address, organization) =>
      `${referrer} さん（${address}）から、チームの会話の場 ${organization} への招待です。`,
    until: (time) => `リンクの有効期限は ${time} です。`,
    forEver: 'リンクに有効期限はありません。',
  },
  closedAccount: {
    subject: (organization) => `${organization} のアカウントが停止されました`,
    happened: (by, address, organization) =>
      `${by} さんが ${organization} のあなたのアカウント（${address}）を停止しました。今後はログインできません。`,
    comment: (by) => `${by} さんのコメント：`,
  },
  closedOrganization: {
    subject: (organization) => `組織 ${organization} が停止されました`,
    happened: (by, organization, origin, day) =>
      `${by} さんが ${day}（UTC）に ${organization}（${origin}）を停止しました。今後は誰もログインできません。`,
    kept: 'データは保存されています。',
    deleted: (day) => `すべてのデータは ${day}（UTC）に完全に削除されます。`,
    reopen: (url, ends) =>
      `${ends ? 'それまでは' : ''}オーナーの誰でも再開できます。リンクはこちらで取得できます：\n${url}`,
  },
  reopenedOrganization: {
    subject: (organization) => `組織 ${organization} の再開`,
    happened: (organization) => `${organization} の再開が申し込まれました。`,
    link: (url) => `再開するには、次のリンクを開いてください：\n${url}`,
    validity:
      'リンクは 1 日間有効で、1 回だけ使えます。心当たりがなければ、何もしないでください。組織は停止されたままです。',
  },
  welcome: {
    subject: (organization) => `${organization} へようこそ`,
    happened: (organization, origin, address) =>
      `${organization} のアカウントができました。場所はこちらです：\n${origin}/\n${address} でログインしてください。`,
    begin:
      '会話はチャンネルの中で、さらにトピックに分かれて行われます。トピックは、いつでも戻ってこられる 1 つの会話です。まずは自分のトピックで挨拶するか、すでにあるトピックを見てみてください。',
    password: (url) => `パスワードを忘れたときは、こちらで新しく設定できます：\n${url}`,
  },
  guide: {
    subject: 'トピックで会話を分ける',
    said: (organization) => [
      `${organization} に参加して数日がたちました。慣れると、ほかのチャットより楽になることが 1 つあります。チャンネルのメッセージには、必ずトピックがあることです。`,
      '新しい質問のたびに、内容がわかる短い名前で新しいトピックを始めてください。返信は、すでにあるトピックに書きます。そうすれば 2 つの会話が混ざらず、決まったことをあとから見つけられます。',
      'トピックごとに読むと、会話の結論がわかり、関係のないものは飛ばせます。関係のないトピックはミュートし、関係のあるトピックはフォローしてください。答えの出た質問は解決済みになります。',
    ],
    unsubscribe: '使い方のヒントを停止',
  },
  pausedAddress: (address, reason) =>
    `あなたのアドレス \`${address}\` にメールが届きません。相手のサーバーが今後も届かないと応答しています（\`${reason}\`）。見逃したメッセージ、ログイン、ダイジェストのメールは送信されなくなりました。設定の「アカウント」で別のアドレスを指定するか、同じアドレスをもう一度指定して再試行してください。`,
  missed: {
    senderName: (organization) => `${organization} の通知`,
    subject: {
      direct: (sender) => `${sender} さんとのダイレクトメッセージ`,
      group: (others) => `${names(others)}とのグループ会話`,
      channel: (channel, topic, isResolved) => `${isResolved ? '［解決済み］' : ''}#${channel} > ${topic}`,
      hidden: '新しいメッセージ',
    },
    before: 'それより前：',
    after: '新着：',
    hiddenSpoiler: '（ネタバレ：メッセージを開くと表示されます。）',
    long: '（このメッセージはメールには長すぎます。）',
    more: (count) => `ほかに ${count} 件のメッセージがあります。`,
    hiddenBy: (reason, organization, count) =>
      `${organization} に新しいメッセージが ${count} 件あります。${reason}`,
    why: {
      mention: ({ group }) =>
        group === null
          ? 'あなたがメンションされたため、このメールが届いています。'
          : `あなたの所属するグループ @${group} がメンションされたため、このメールが届いています。`,
      topic_wildcard_mention: ({ conversation }) =>
        `${conversation} の参加者全員がメンションされたため、このメールが届いています。`,
      channel_wildcard_mention: ({ channel }) =>
        `#${channel} の全員がメンションされたため、このメールが届いています。`,
      followed_topic: ({ conversation }) =>
        `${conversation} をフォローし、フォロー中のトピックのメールを受け取る設定のため、このメールが届いています。`,
      channel: ({ channel }) =>
        `#${channel} のメッセージのメールを受け取る設定のため、このメールが届いています。`,
    },
    open: '会話を開く',
    answer: 'このメールに返信すると、会話に書き込めます。',
    noReply: (organization) => `このメールへの返信は読まれません。${organization} で返信してください。`,
    settings: '通知の設定',
    unsubscribe: 'このメールを停止',
  },
  digest: {
    senderName: (organization) => `${organization} のダイジェスト`,
    subject: (organization) => `${organization} で見逃した内容`,
    happened: (organization) => `不在の間に ${organization} に届いた、まだ読んでいない内容です。`,
    missed: 'ダイレクトメッセージとメンション',
    topics: '活発なトピック',
    channels: '新しいチャンネル',
    more: (count, isOpen, senders) =>
      `${senders.length === 0 ? '' : `${names(senders)}による`}メッセージがほかに${isOpen ? '少なくとも' : ''} ${count} 件あります。`,
    moreConversations: (count) => `あなた宛てのメッセージがある会話がほかに ${count} 件あります。`,
    moreChannels: (count) => `ほかに ${count} 件あります。`,
    count: {
      conversations: (count) => `ダイレクトメッセージやメンションのある会話：${count} 件`,
      topics: (count) => `活発なトピック：${count} 件`,
      channels: (count) => `新しいチャンネル：${count} 件`,
    },
    open: (organization) => `${organization} を開く`,
    unsubscribe: 'ダイジェストを停止',
  },
  hiddenBy: {
    organization: 'この組織ではメールにメッセージを表示できません。',
    reader: 'あなたの設定ではメールにメッセージを表示しません。',
  },
  unsubscribed: {
    title: (organization) => `${organization} からのメール`,
    ask: (organization, what) => `${organization} からの${what}を停止しますか？`,
    button: (what) => `${what}を停止`,
    done: (organization, what) => `${organization} からの${what}を停止しました。設定でいつでも再開できます。`,
    what: {
      missed_messages: '見逃したメッセージのメール',
      login: '新しいログインのメール',
      digest: 'ダイジェスト',
      marketing: '使い方のヒント',
    },
  },
}

function names(others: readonly string[]): string {
  const shown = others.length > 3 ? others.slice(0, 2) : others
  const named = shown.map((name) => `${name} さん`).join('、')
  return others.length > 3 ? `${named}ほか ${others.length - 2} 人` : named
}
