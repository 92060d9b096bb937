import { html } from '../../../core/written-languages.ts'
import type { DoorTexts } from './english.ts'

export const JAPANESE: DoorTexts = {
  language: 'ja',
  email: 'メールアドレス',
  password: 'パスワード',
  newPassword: 'パスワード（6 文字以上）',
  yourName: '名前',
  sendLink: 'リンクを送信',
  toLogIn: 'ログインへ進む',
  tooMany: (wait) => `試行回数が多すぎます。${wait}後にもう一度お試しください。`,
  refusals: {
    'Your username or password is incorrect':
      'メールアドレスとパスワードに一致するアカウントがありません。両方を確認してもう一度試すか、パスワードを再設定してください。',
    'Enter a valid email address.': '有効なメールアドレスを入力してください（例：name@example.com）。',
    'Password authentication is disabled in this organization':
      'この組織ではパスワードでのログインが無効になっています。別の方法でログインするか、管理者にお問い合わせください。',
    'Account is deactivated':
      'このアカウントは停止されています。再開するよう組織の管理者に依頼してください。',
    'This organization has been deactivated':
      'この組織は停止されています。再開するようオーナーに依頼してください。',
    'This organization is open.': 'この組織は有効です。ログインしてください。',
    'That code is wrong, or was used already. Enter the newest one.':
      'コードが正しくないか、すでに使用されています。最新のコードを入力してください。',
    'That took too long, or was tried too often. Log in again.':
      '時間がかかりすぎたか、試行回数が多すぎます。もう一度ログインしてください。',
    'That took too long, or was already done. Try again.':
      '時間がかかりすぎたか、すでに完了しています。もう一度お試しください。',
    'This passkey does not fit. Try again, or use another way.':
      'このパスキーは一致しません。もう一度試すか、別の方法でログインしてください。',
    'Your passkey has not checked that it is you. Log in with your password, and use it as the second step.':
      'パスキーで本人確認が行われませんでした。パスワードでログインし、2 段階目でパスキーを使用してください。',
    'This link opens the account of an owner, and none has this address.':
      'これはオーナーのアカウント用のリンクですが、このアドレスのオーナーはいません。サーバーの管理者が新しいリンクを作成できます。',
    'This invitation is not valid any more.':
      'この招待は期限切れか、取り消されています。招待した人に新しい招待を依頼してください。',
    'This link is not valid any more.':
      'このリンクは期限切れか、すでに使用されています。新しいリンクを取得してください。',
    'Email is already in use.':
      'このアドレスのアカウントはすでにあります。そのアカウントでログインしてください。',
    'Email addresses containing + are not allowed.':
      'この組織では + を含むアドレスは使用できません。その部分を除いて入力してください。',
    'Disposable email addresses are not allowed in this organization':
      'この組織では使い捨てアドレスは使用できません。別のアドレスを入力してください。',
    'Email not allowed in this organization':
      'この組織ではこのドメインのアドレスは使用できません。別のアドレスを入力するか、管理者にお問い合わせください。',
    'Email address changes are disabled in this organization.':
      'この組織ではアドレスの変更が無効になっています。管理者にお問い合わせください。',
    'This address needs to be confirmed by mail first.':
      'このアドレスは先に確認が必要です。そのアドレスに送信したメールのリンクを開いてください。',
    'This organization admits addresses of certain domains, and this server can send no mail to confirm one.':
      'この組織では特定のドメインのアドレスだけを使用できますが、このサーバーは確認のメールを送信できません。そのアドレスを招待するよう管理者に依頼してください。',
    'The password is too weak.': 'パスワードが弱すぎます。もっと長いものにしてください。',
    'Bad name or username': '有効なメールアドレスを入力してください（例：name@example.com）。',
    'Enter a name of 1 to 40 characters': '1～40 文字の名前を入力してください。',
    'Enter a name of 2 to 100 characters': '2～100 文字の名前を入力してください。',
    'Enter a valid e-mail address': '有効なメールアドレスを入力してください（例：name@example.com）。',
    'Invalid characters in name!': '名前に使用できない文字が含まれています。別の名前にしてください。',
    'Invalid format!': '名前の末尾を「|」と数字にすることはできません。別の名前にしてください。',
    'Name too short!': '名前が短すぎます。2 文字以上で入力してください。',
    'Name too long!': '名前が長すぎます。100 文字以内で入力してください。',
    'Unique names required in this organization.':
      'この名前はすでに使われています。部署名などを加えてください。',
    'The storage of this organization is full. Only reading and deleting are possible.':
      '組織のストレージがいっぱいです。空きを作るよう管理者に依頼してください。',
    'The server cannot answer just now. Please try again in a moment.':
      'サーバーが応答できません。しばらくしてからもう一度お試しください。',
    'This request comes from a page of another site.':
      'ほかのサイトからのリクエストと判断されました。ページを開き直して、もう一度お試しください。',
    'BigBlueButton is not configured on this server.':
      'このサーバーでは BigBlueButton が設定されていません。サーバーの管理者にお問い合わせください。',
    'Invalid signature.':
      'このリンクはこの組織の通話のものではありません。メッセージから通話を開き直してください。',
    'Error connecting to the BigBlueButton server.':
      'BigBlueButton サーバーが応答しません。しばらくしてからもう一度お試しください。',
    'Error authenticating to the BigBlueButton server.':
      'BigBlueButton サーバーがこのサーバーのシークレットを拒否しました。サーバーの管理者にお問い合わせください。',
    'BigBlueButton server returned an unexpected error.':
      'BigBlueButton サーバーでエラーが発生しました。もう一度試すか、サーバーの管理者にお問い合わせください。',
    'Zoom is not configured on this server.':
      'このサーバーでは Zoom が設定されていません。サーバーの管理者にお問い合わせください。',
    'Invalid Zoom session identifier':
      'この Zoom へのログインは、別のブラウザーやアカウントで始められたか、時間が経ちすぎています。通話ボタンをもう一度クリックしてください。',
    'Invalid subdomain':
      'このアドレスに組織はありません。アドレスを確認するか、送ってくれた人に問い合わせてください。',
    'There is no such organization here.':
      'その組織はこのサーバーにないため、未読メッセージ数を表示できません。元のページに戻ってください。',
    'Zoom access was declined.':
      'Zoom でアクセスが許可されませんでした。許可するには、通話ボタンをもう一度クリックしてください。',
    'Invalid Zoom credentials':
      'Zoom がこのログインを拒否しました。通話ボタンをもう一度クリックしてください。解決しない場合は、サーバーの管理者にお問い合わせください。',
    'Failed to create Zoom call':
      'Zoom が応答しません。しばらくしてから通話ボタンをもう一度クリックしてください。',
  },
  logIn: {
    title: 'ログイン',
    button: 'ログイン',
    with: (name) => `${name} でログイン`,
    forgotten: 'パスワードをお忘れですか？',
    readPublic: 'アカウントなしで閲覧',
    incomplete: 'このリンクは不完全です。アプリからやり直してください。',
  },
  secondFactor: {
    title: '2 段階認証',
    code: '認証アプリのコード、またはリカバリーコード',
    passkey: 'パスキーを使用',
    passkeyFailed: 'ログインできませんでした。もう一度試すか、別の方法でログインしてください。',
    again: 'もう一度ログイン',
    setUpTitle: '2 段階認証を設定',
    setUpAbout: 'この組織ではログイン時に 2 段階目の確認として、スマートフォンのアプリのコードが必要です。',
    scan: '認証アプリでこれを読み取ってください：',
    orType: 'または、このキーをアプリに入力してください：',
    firstCode: 'アプリに表示されるコード',
    setUpButton: '有効にしてログイン',
    codesTitle: 'リカバリーコード',
    codesAbout:
      'これらのコードを安全な場所に保管してください。スマートフォンを紛失した場合、1 つにつき 1 回ログインできます。再表示はできません。',
    onward: '保管しました',
  },
  desktop: {
    title: 'デスクトップアプリにログイン',
    elsewhere: 'ブラウザーでログインしてから、アプリに戻ってください。',
    open: 'ブラウザーを開く',
    paste: 'ブラウザーに表示されたコード',
    unreadable: 'ブラウザーに表示されたコードではないか、別のウィンドウから開いたブラウザーです。',
    copyIt: 'このコードをコピーして、デスクトップアプリに戻ってください。ほかの人は読めません。',
    token: 'デスクトップアプリ用',
    copy: 'コピー',
    copied: 'コピーしました。デスクトップアプリに戻ってください。',
    used: 'このリンクは期限切れか、すでに使用されています。アプリからやり直してください。',
  },
  ownerLink: {
    about: (email) => `このリンクで ${email} として 1 回ログインできます。`,
    used: 'このリンクは期限切れか、すでに使用されています。サーバーの管理者が新しいリンクを作成できます。',
  },
  provider: {
    again: 'ログインページへ',
    troubles: {
      unknown: () => 'このログイン方法はここでは利用できません。戻って別の方法を選んでください。',
      expired: () =>
        'このログインは期限切れか、別のブラウザーで開始されたものです。最初からやり直してください。',
      declined: (name) =>
        `${name} がログインを許可しませんでした。やり直すか、別の方法でログインしてください。`,
      unreachable: (name) =>
        `${name} が応答しません。数分後にもう一度試すか、別の方法でログインしてください。`,
      invalid: (name) =>
        `${name} の応答を受け付けられません。組織の管理者にお問い合わせください。理由は監査ログにあります。`,
      no_address: (name) =>
        `${name} からメールアドレスが共有されませんでした。${name} でアドレスを追加するか共有を許可して、やり直してください。`,
      unverified_address: (name) =>
        `${name} でメールアドレスが確認されていません。${name} で確認を済ませて、やり直してください。`,
      no_account: (name, email) =>
        `${email} のアカウントはありません。管理者に招待を依頼するか、${name} の別のアカウントを選んでください。`,
      address_not_allowed: (name, email) =>
        `この組織では ${email} を使用できません。管理者にお問い合わせいただくか、${name} の別のアカウントを選んでください。`,
      other_identity: (name) =>
        `このアカウントはすでに ${name} の別のアカウントと連携しています。そちらを使用するか、管理者にお問い合わせください。`,
      unconfirmed_account: (_name, email) =>
        `${email} のアカウントはありますが、そのアドレスはまだ確認されていません。パスワードでログインしてアドレスを確認するか、管理者にお問い合わせください。`,
      not_connected: (name, email) =>
        `${email} のアカウントはありますが、まだ ${name} と連携していません。これまでの方法で一度ログインするか、アカウントのアドレスに送られたリンクを開いてください。`,
      no_name: (name) =>
        `${name} から渡された名前はここでは使用できません。${name} で変更して、やり直してください。`,
      account_deactivated: () =>
        'このアカウントは停止されています。再開するよう組織の管理者に依頼してください。',
      organization_deactivated: () => 'この組織は停止されています。再開するようオーナーに依頼してください。',
      other_person: (name) =>
        `${name} のアカウントは、ここでログインしているアカウントのものではありません。${name} でもう一方のアカウントを選んで、やり直してください。`,
    },
  },
  connection: {
    title: 'アカウントの連携',
    question: (email, organization, name) =>
      `今後、${organization} のアカウント ${email} は ${name ?? '組織の別のシステムのトークン'} で開けるようになります。`,
    button: '許可する',
    done: (name) =>
      name === null
        ? '別のシステムがあなたのアカウントにログインできるようになりました。'
        : `${name} でログインできるようになりました。`,
  },
  access: {
    absent: 'ここでは Cloudflare Access が設定されていません。別の方法でログインしてください。',
    notThrough:
      'Cloudflare Access がこのサーバーへのアクセスを許可しませんでした。このページを開き直してください。解決しない場合は、Access で保護されているかをサーバーの管理者に確認してください。',
    nobody: 'Cloudflare Access が許可したのは、メールアドレスを持つ人ではなくサービスです。',
    noAccount: (email) => `${email} のアカウントはありません。組織のメンバーに招待を依頼してください。`,
    unreachable: 'Cloudflare Access が応答しません。しばらくしてからもう一度お試しください。',
  },
  call: { title: '通話' },
  zoom: {
    title: 'Zoom',
    done: 'Zoom にログインしました。このウィンドウは閉じてかまいません。通話は元のウィンドウで作成されます。',
  },
  unread: {
    title: '未読メッセージ',
    ask: (here, page) =>
      `${here} の未読メッセージ数を ${page} のページに表示しますか？ほかの情報は共有されません。ここからログアウトすると表示は終わります。`,
    allow: '件数を表示',
    back: '表示せずに戻る',
  },
  missing: {
    title: 'ページが見つかりません',
    about: 'このアドレスには何もありません。アドレスを確認するか、最初からやり直してください。',
  },
  mail: { title: 'メール', broken: 'このリンクは無効か、不完全です。メールからもう一度開いてください。' },
  help: {
    title: 'ヘルプ',
    elsewhere: (host) => `Zulip 互換クライアントのヘルプは別のサイト（${host}）にあります：`,
  },
  logOut: { title: 'ログアウト' },
  reset: {
    title: 'パスワードの再設定',
    question: 'メールアドレスを入力してください。新しいパスワードを設定するリンクを送信します。',
    sent: (email) => `${email} のアカウントがある場合は、リンクを記載したメールが届きます。`,
    account: (email, organization) => html`<strong>${organization}</strong> のアカウント ${email}`,
    button: 'パスワードを設定',
    done: (email, organization) =>
      html`<strong>${organization}</strong> のアカウント ${email} のパスワードを変更しました。ここでもアプリでも、新しいパスワードでログインしてください。`,
  },
  newAddress: {
    title: '新しいメールアドレスの確認',
    before: (name, organization, email) =>
      html`<strong>${organization}</strong> の ${name} さんのアカウントのアドレスは ${email} です。新しいアドレスは次のとおりです：`,
    button: '確認',
    done: (email) =>
      `メールアドレスは ${email} になりました。このアドレスでログインしてください。以前のアドレスを使っているアプリでは、再度ログインを求められます。`,
  },
  ownAddress: {
    title: 'メールアドレスの確認',
    question: (name, organization) =>
      html`このアドレスは <strong>${organization}</strong> の ${name} さんのアカウントのものですか？`,
    button: '確認',
    done: (email) => `アドレス ${email} を確認しました。`,
  },
  join: {
    title: '参加',
    invited: (referrer, organization) =>
      html`${referrer} さんが <strong>${organization}</strong> に招待しました。`,
    question: 'メールアドレスを入力してください。アカウントを作成するリンクを送信します。',
    sent: (email) => `${email} にメールを送信しました。メールのリンクを開いてアカウントを作成してください。`,
    with: (name) => `${name} で参加`,
    button: '参加',
    welcome: (organization) => html`<strong>${organization}</strong> へようこそ。`,
    how: 'このサーバーのアドレスとメールアドレスを使って、ここ、またはアプリでログインしてください。',
  },
  setUp: {
    title: '組織の作成',
    about: 'あなたがオーナーになり、ほかの全員を招待できます。',
    organization: '組織名',
    location: 'チームの所在地',
    locationHint: 'データの保存場所です。後から変更できません。',
    locations: {
      '': '自分の近く',
      wnam: '北アメリカ西部',
      enam: '北アメリカ東部',
      sam: '南アメリカ',
      weur: '西ヨーロッパ',
      eeur: '東ヨーロッパ',
      apac: 'アジア太平洋',
      oc: 'オセアニア',
      afr: 'アフリカ',
      me: '中東',
    },
    kept: (jurisdiction) => `データは ${jurisdiction} の管轄区域に保存されます。`,
    button: '組織を作成',
    used: 'このリンクは期限切れか、すでに使用されています。サーバーの管理者は、サーバーを起動またはデプロイし直すと新しいリンクを取得できます。',
  },
  reactivation: {
    title: '組織を再開',
    question:
      '組織が停止されている場合、データが削除されるまではオーナーが再開できます。メールアドレスを入力してください。リンクを送信します。',
    sent: (email) =>
      `${email} がこの組織のオーナーのアドレスである場合は、リンクを記載したメールが届きます。`,
    isClosed: (organization) =>
      html`<strong>${organization}</strong> は停止されています。再開すると、アカウントを持つ全員が再びログインできます。データは何も削除されていません。`,
    button: '再開',
    done: (organization) => html`<strong>${organization}</strong> を再開しました。`,
  },
  deactivated: {
    title: 'この組織は停止されています',
    about: 'オーナーの誰かが再開するまで、誰もログインできません。',
  },
}
