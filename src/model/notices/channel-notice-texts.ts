import type { RealmReads } from '../../core/realm-transaction.ts'
import { counted, type InEachLanguage, writtenLanguage } from '../../core/written-languages.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { REPORT_REASONS, type ReportType } from './report-reasons.ts'

/**
 * Texts of the notices in channels. People, channels and topics come as mentions and links, `who` the person who did it. The English ones are
 * those of the public interface, which clients know.
 */
interface NoticeTexts {
  readonly movedHere: {
    readonly topic: (from: string, who: string) => string
    /** `url`: address of the message. */
    readonly message: (url: string, from: string, who: string) => string
    readonly messages: (count: number, from: string, who: string) => string
  }
  readonly movedAway: {
    readonly topic: (to: string, who: string) => string
    readonly message: (to: string, who: string) => string
    readonly messages: (count: number, to: string, who: string) => string
  }
  readonly resolved: (who: string) => string
  readonly unresolved: (who: string) => string
  readonly created: (privacy: string, who: string) => string
  readonly announced: (who: string, links: string, isOne: boolean) => string
  readonly joined: (who: string) => string
  readonly archived: (name: string) => string
  readonly unarchived: (name: string) => string
  readonly renamed: (who: string, before: string, after: string) => string
  readonly description: (who: string) => string
  readonly oldDescription: string
  readonly newDescription: string
  readonly noDescription: string
  readonly privacy: (who: string, before: string, after: string) => string
  readonly privacies: Readonly<Record<'webPublic' | 'public' | 'sharedHistory' | 'protectedHistory', string>>
  readonly posting: (who: string) => string
  readonly before: string
  readonly after: string
  readonly others: (count: number) => string
  readonly retention: (who: string) => string
  readonly forever: string
  readonly days: (count: number) => string
  readonly ofOrganization: (period: string) => string
  readonly kept: string
  readonly deletedAfter: (days: number) => string
  readonly topics: (who: string, before: string, after: string) => string
  readonly topicsPolicies: Readonly<
    Record<'inherit' | 'allow_empty_topic' | 'disable_empty_topic' | 'empty_topic_only', string>
  >
  readonly report: {
    /** `to`: the recipients of a direct message. */
    readonly line: (who: string, author: string, time: string, to: string | undefined) => string
    readonly reasons: Readonly<Record<ReportType, string>>
    readonly original: string
    readonly originalAt: (link: string) => string
  }
}

const ENGLISH: NoticeTexts = {
  movedHere: {
    topic: (from, who) => `This topic was moved here from ${from} by ${who}.`,
    message: (url, from, who) => `[A message](${url}) was moved here from ${from} by ${who}.`,
    messages: (count, from, who) => `${count} messages were moved here from ${from} by ${who}.`,
  },
  movedAway: {
    topic: (to, who) => `This topic was moved to ${to} by ${who}.`,
    message: (to, who) => `A message was moved from this topic to ${to} by ${who}.`,
    messages: (count, to, who) => `${count} messages were moved from this topic to ${to} by ${who}.`,
  },
  resolved: (who) => `${who} has marked this topic as resolved.`,
  unresolved: (who) => `${who} has marked this topic as unresolved.`,
  created: (privacy, who) => `**${privacy}** channel created by ${who}. **Description:**`,
  announced: (who, links, isOne) =>
    `${who} created ${isOne ? 'a new channel' : 'the following channels:'} ${links}.`,
  joined: (who) => `${who} joined this organization.`,
  archived: (name) => `Channel ${name} has been archived.`,
  unarchived: (name) => `Channel ${name} un-archived.`,
  renamed: (who, before, after) => `${who} renamed channel **${before}** to **${after}**.`,
  description: (who) => `${who} changed the description for this channel.`,
  oldDescription: 'Old description:',
  newDescription: 'New description:',
  noDescription: 'No description.',
  privacy: (who, before, after) =>
    `${who} changed the [access permissions](/help/channel-permissions) for this channel from **${before}** to **${after}**.`,
  privacies: {
    webPublic: 'Web-public',
    public: 'Public',
    sharedHistory: 'Private, shared history',
    protectedHistory: 'Private, protected history',
  },
  posting: (who) =>
    `${who} changed the [posting permissions](/help/channel-posting-policy) for this channel:`,
  before: 'Old',
  after: 'New',
  others: (count) => `and ${count} others`,
  retention: (who) =>
    `${who} has changed the [message retention period](/help/message-retention-policy) for this channel:`,
  forever: 'Forever',
  days: (count) => `${count} days`,
  ofOrganization: (period) => `${period} (organization default)`,
  kept: 'Messages in this channel will now be retained forever.',
  deletedAfter: (days) =>
    `Messages in this channel will now be automatically deleted ${days} days after they are sent.`,
  topics: (who, before, after) =>
    `${who} changed the "Allow posting to the *general chat* topic?" setting from **${before}** to **${after}**.`,
  topicsPolicies: {
    inherit: 'Automatic',
    allow_empty_topic: '*general chat* topic allowed',
    disable_empty_topic: 'No *general chat* topic',
    empty_topic_only: 'Only *general chat* topic allowed',
  },
  report: {
    line: (who, author, time, to) =>
      `${who} reported a message sent by ${author}${to === undefined ? '' : ` to ${to}`} at ${time}.`,
    reasons: REPORT_REASONS,
    original: 'Original message',
    originalAt: (link) => `Original message at ${link}`,
  },
}

const GERMAN: NoticeTexts = {
  movedHere: {
    topic: (from, who) => `${who} hat dieses Thema aus ${from} hierher verschoben.`,
    message: (url, from, who) => `${who} hat [eine Nachricht](${url}) aus ${from} hierher verschoben.`,
    messages: (count, from, who) => `${who} hat ${count} Nachrichten aus ${from} hierher verschoben.`,
  },
  movedAway: {
    topic: (to, who) => `${who} hat dieses Thema nach ${to} verschoben.`,
    message: (to, who) => `${who} hat eine Nachricht aus diesem Thema nach ${to} verschoben.`,
    messages: (count, to, who) => `${who} hat ${count} Nachrichten aus diesem Thema nach ${to} verschoben.`,
  },
  resolved: (who) => `${who} hat dieses Thema als erledigt markiert.`,
  unresolved: (who) => `${who} hat dieses Thema wieder geöffnet.`,
  created: (privacy, who) => `Kanal erstellt von ${who}: **${privacy}**. **Beschreibung:**`,
  announced: (who, links, isOne) =>
    `${who} hat ${isOne ? 'einen neuen Kanal' : 'neue Kanäle'} erstellt: ${links}.`,
  joined: (who) => `${who} ist dieser Organisation beigetreten.`,
  archived: (name) => `Der Kanal ${name} wurde archiviert.`,
  unarchived: (name) => `Der Kanal ${name} ist nicht mehr archiviert.`,
  renamed: (who, before, after) => `${who} hat den Kanal **${before}** in **${after}** umbenannt.`,
  description: (who) => `${who} hat die Beschreibung dieses Kanals geändert.`,
  oldDescription: 'Alte Beschreibung:',
  newDescription: 'Neue Beschreibung:',
  noDescription: 'Keine Beschreibung.',
  privacy: (who, before, after) =>
    `${who} hat den [Zugang](/help/channel-permissions) zu diesem Kanal von **${before}** in **${after}** geändert.`,
  privacies: {
    webPublic: 'Im Web lesbar',
    public: 'Öffentlich',
    sharedHistory: 'Privat, mit früheren Nachrichten',
    protectedHistory: 'Privat, ohne frühere Nachrichten',
  },
  posting: (who) =>
    `${who} hat geändert, [wer in diesem Kanal schreiben darf](/help/channel-posting-policy):`,
  before: 'Bisher',
  after: 'Jetzt',
  others: (count) => `und ${count} weitere`,
  retention: (who) =>
    `${who} hat geändert, [wie lange Nachrichten](/help/message-retention-policy) in diesem Kanal aufbewahrt werden:`,
  forever: 'Unbegrenzt',
  days: (count) => counted(count, 'Tag', 'Tage'),
  ofOrganization: (period) => `${period} (Standard der Organisation)`,
  kept: 'Nachrichten in diesem Kanal werden jetzt unbegrenzt aufbewahrt.',
  deletedAfter: (days) =>
    `Nachrichten in diesem Kanal werden jetzt nach ${counted(days, 'Tag', 'Tagen')} automatisch gelöscht.`,
  topics: (who, before, after) =>
    `${who} hat die Einstellung für Themen von **${before}** in **${after}** geändert.`,
  topicsPolicies: {
    inherit: 'Standard der Organisation',
    allow_empty_topic: 'Thema optional',
    disable_empty_topic: 'Thema erforderlich',
    empty_topic_only: 'Keine Themen',
  },
  report: {
    line: (who, author, time, to) =>
      `${who} hat eine Nachricht von ${author}${to === undefined ? '' : ` an ${to}`} gemeldet, gesendet ${time}.`,
    reasons: {
      spam: 'Spam',
      harassment: 'Belästigung',
      inappropriate: 'Unangemessener Inhalt',
      norms: 'Verstößt gegen unsere Regeln',
      other: 'Anderer Grund',
    },
    original: 'Gemeldete Nachricht',
    originalAt: (link) => `Gemeldete Nachricht: ${link}`,
  },
}

const SPANISH: NoticeTexts = {
  movedHere: {
    topic: (from, who) => `${who} ha movido aquí este tema desde ${from}.`,
    message: (url, from, who) => `${who} ha movido aquí [un mensaje](${url}) desde ${from}.`,
    messages: (count, from, who) => `${who} ha movido aquí ${count} mensajes desde ${from}.`,
  },
  movedAway: {
    topic: (to, who) => `${who} ha movido este tema a ${to}.`,
    message: (to, who) => `${who} ha movido un mensaje de este tema a ${to}.`,
    messages: (count, to, who) => `${who} ha movido ${count} mensajes de este tema a ${to}.`,
  },
  resolved: (who) => `${who} ha marcado este tema como resuelto.`,
  unresolved: (who) => `${who} ha reabierto este tema.`,
  created: (privacy, who) => `Canal creado por ${who}: **${privacy}**. **Descripción:**`,
  announced: (who, links, isOne) =>
    `${who} ha creado ${isOne ? 'un canal' : 'los siguientes canales:'} ${links}.`,
  joined: (who) => `${who} se ha unido a esta organización.`,
  archived: (name) => `El canal ${name} se ha archivado.`,
  unarchived: (name) => `El canal ${name} ya no está archivado.`,
  renamed: (who, before, after) => `${who} ha cambiado el nombre del canal **${before}** a **${after}**.`,
  description: (who) => `${who} ha cambiado la descripción de este canal.`,
  oldDescription: 'Descripción anterior:',
  newDescription: 'Descripción nueva:',
  noDescription: 'Sin descripción.',
  privacy: (who, before, after) =>
    `${who} ha cambiado el [acceso](/help/channel-permissions) a este canal de **${before}** a **${after}**.`,
  privacies: {
    webPublic: 'Público en la web',
    public: 'Público',
    sharedHistory: 'Privado, con los mensajes anteriores',
    protectedHistory: 'Privado, sin los mensajes anteriores',
  },
  posting: (who) => `${who} ha cambiado [quién puede escribir](/help/channel-posting-policy) en este canal:`,
  before: 'Antes',
  after: 'Ahora',
  others: (count) => `y ${count} más`,
  retention: (who) =>
    `${who} ha cambiado [cuánto tiempo se guardan los mensajes](/help/message-retention-policy) de este canal:`,
  forever: 'Para siempre',
  days: (count) => counted(count, 'día', 'días'),
  ofOrganization: (period) => `${period} (ajuste de la organización)`,
  kept: 'Los mensajes de este canal se guardarán para siempre.',
  deletedAfter: (days) =>
    `Los mensajes de este canal se eliminarán automáticamente ${counted(days, 'día', 'días')} después de enviarse.`,
  topics: (who, before, after) =>
    `${who} ha cambiado el ajuste de los temas de **${before}** a **${after}**.`,
  topicsPolicies: {
    inherit: 'Según la organización',
    allow_empty_topic: 'Temas opcionales',
    disable_empty_topic: 'Temas obligatorios',
    empty_topic_only: 'Ninguno',
  },
  report: {
    line: (who, author, time, to) =>
      `${who} ha denunciado un mensaje de ${author}${to === undefined ? '' : ` para ${to}`}, enviado ${time}.`,
    reasons: {
      spam: 'Spam',
      harassment: 'Acoso',
      inappropriate: 'Contenido inapropiado',
      norms: 'Incumple las normas de la comunidad',
      other: 'Otro motivo',
    },
    original: 'Mensaje original',
    originalAt: (link) => `Mensaje original en ${link}`,
  },
}

const FRENCH: NoticeTexts = {
  movedHere: {
    topic: (from, who) => `${who} a déplacé ce sujet ici depuis ${from}.`,
    message: (url, from, who) => `${who} a déplacé [un message](${url}) ici depuis ${from}.`,
    messages: (count, from, who) => `${who} a déplacé ${count} messages ici depuis ${from}.`,
  },
  movedAway: {
    topic: (to, who) => `${who} a déplacé ce sujet vers ${to}.`,
    message: (to, who) => `${who} a déplacé un message de ce sujet vers ${to}.`,
    messages: (count, to, who) => `${who} a déplacé ${count} messages de ce sujet vers ${to}.`,
  },
  resolved: (who) => `${who} a marqué ce sujet comme résolu.`,
  unresolved: (who) => `${who} a rouvert ce sujet.`,
  created: (privacy, who) => `Canal créé par ${who}\u00a0: **${privacy}**. **Description\u00a0:**`,
  announced: (who, links, isOne) =>
    `${who} a créé ${isOne ? 'un nouveau canal' : 'de nouveaux canaux'}\u00a0: ${links}.`,
  joined: (who) => `${who} a rejoint cette organisation.`,
  archived: (name) => `Le canal ${name} a été archivé.`,
  unarchived: (name) => `Le canal ${name} n’est plus archivé.`,
  renamed: (who, before, after) => `${who} a renommé le canal **${before}** en **${after}**.`,
  description: (who) => `${who} a modifié la description de ce canal.`,
  oldDescription: 'Ancienne description\u00a0:',
  newDescription: 'Nouvelle description\u00a0:',
  noDescription: 'Aucune description.',
  privacy: (who, before, after) =>
    `${who} a modifié l’[accès](/help/channel-permissions) à ce canal\u00a0: **${before}** devient **${after}**.`,
  privacies: {
    webPublic: 'Public sur le web',
    public: 'Public',
    sharedHistory: 'Privé, avec les messages antérieurs',
    protectedHistory: 'Privé, sans les messages antérieurs',
  },
  posting: (who) => `${who} a modifié [qui peut écrire](/help/channel-posting-policy) dans ce canal\u00a0:`,
  before: 'Avant',
  after: 'Maintenant',
  others: (count) => `et ${count} autres`,
  retention: (who) =>
    `${who} a modifié la [durée de conservation des messages](/help/message-retention-policy) de ce canal\u00a0:`,
  forever: 'Toujours',
  days: (count) => counted(count, 'jour', 'jours'),
  ofOrganization: (period) => `${period} (réglage de l’organisation)`,
  kept: 'Les messages de ce canal sont désormais conservés pour toujours.',
  deletedAfter: (days) =>
    `Les messages de ce canal sont désormais supprimés automatiquement ${counted(days, 'jour', 'jours')} après leur envoi.`,
  topics: (who, before, after) =>
    `${who} a modifié le réglage des sujets\u00a0: **${before}** devient **${after}**.`,
  topicsPolicies: {
    inherit: 'Valeur par défaut de l’organisation',
    allow_empty_topic: 'Sujets facultatifs',
    disable_empty_topic: 'Sujets obligatoires',
    empty_topic_only: 'Aucun',
  },
  report: {
    line: (who, author, time, to) =>
      `${who} a signalé un message de ${author}${to === undefined ? '' : ` à ${to}`}, envoyé ${time}.`,
    reasons: {
      spam: 'Spam',
      harassment: 'Harcèlement',
      inappropriate: 'Contenu inapproprié',
      norms: 'Non-respect des règles de la communauté',
      other: 'Autre raison',
    },
    original: 'Message d’origine',
    originalAt: (link) => `Message d’origine\u00a0: ${link}`,
  },
}

const JAPANESE: NoticeTexts = {
  movedHere: {
    topic: (from, who) => `${who} がこのトピックを ${from} からここに移動しました。`,
    message: (url, from, who) => `${who} が[メッセージ](${url})を ${from} からここに移動しました。`,
    messages: (count, from, who) => `${who} が ${count} 件のメッセージを ${from} からここに移動しました。`,
  },
  movedAway: {
    topic: (to, who) => `${who} がこのトピックを ${to} に移動しました。`,
    message: (to, who) => `${who} がこのトピックのメッセージを ${to} に移動しました。`,
    messages: (count, to, who) => `${who} がこのトピックのメッセージ ${count} 件を ${to} に移動しました。`,
  },
  resolved: (who) => `${who} がこのトピックを解決済みにしました。`,
  unresolved: (who) => `${who} がこのトピックを未解決に戻しました。`,
  created: (privacy, who) => `${who} がチャンネルを作成しました：**${privacy}**　**説明：**`,
  announced: (who, links) => `${who} がチャンネルを作成しました：${links}`,
  joined: (who) => `${who} がこの組織に参加しました。`,
  archived: (name) => `チャンネル ${name} はアーカイブされました。`,
  unarchived: (name) => `チャンネル ${name} のアーカイブが解除されました。`,
  renamed: (who, before, after) =>
    `${who} がチャンネルの名前を **${before}** から **${after}** に変更しました。`,
  description: (who) => `${who} がこのチャンネルの説明を変更しました。`,
  oldDescription: '変更前の説明：',
  newDescription: '変更後の説明：',
  noDescription: '説明なし',
  privacy: (who, before, after) =>
    `${who} がこのチャンネルの[アクセス](/help/channel-permissions)を **${before}** から **${after}** に変更しました。`,
  privacies: {
    webPublic: 'Web 公開',
    public: '公開',
    sharedHistory: '非公開（過去のメッセージも表示）',
    protectedHistory: '非公開（過去のメッセージは非表示）',
  },
  posting: (who) => `${who} がこのチャンネルに[投稿できる人](/help/channel-posting-policy)を変更しました：`,
  before: '変更前',
  after: '変更後',
  others: (count) => `他 ${count} 件`,
  retention: (who) =>
    `${who} がこのチャンネルの[メッセージの保存期間](/help/message-retention-policy)を変更しました：`,
  forever: '無期限',
  days: (count) => `${count} 日`,
  ofOrganization: (period) => `${period}（組織の設定）`,
  kept: 'このチャンネルのメッセージは今後、無期限に保存されます。',
  deletedAfter: (days) => `このチャンネルのメッセージは今後、送信から ${days} 日後に自動的に削除されます。`,
  topics: (who, before, after) =>
    `${who} がトピックの設定を **${before}** から **${after}** に変更しました。`,
  topicsPolicies: {
    inherit: '組織の既定値',
    allow_empty_topic: 'トピックは任意',
    disable_empty_topic: 'トピックは必須',
    empty_topic_only: 'なし',
  },
  report: {
    line: (who, author, time, to) =>
      `${who} が ${author} のメッセージを報告しました（${to === undefined ? '' : `宛先：${to}、`}送信日時：${time}）。`,
    reasons: {
      spam: 'スパム',
      harassment: '嫌がらせ',
      inappropriate: '不適切な内容',
      norms: 'コミュニティ規範への違反',
      other: 'その他の理由',
    },
    original: '元のメッセージ',
    originalAt: (link) => `元のメッセージ：${link}`,
  },
}

/** A number stands apart from its noun, whose form would depend on it. */
const ARABIC: NoticeTexts = {
  movedHere: {
    topic: (from, who) => `نُقل هذا الموضوع إلى هنا من ${from} بواسطة ${who}.`,
    message: (url, from, who) => `نُقلت [رسالة](${url}) إلى هنا من ${from} بواسطة ${who}.`,
    messages: (count, from, who) => `نُقلت رسائل (العدد: ${count}) إلى هنا من ${from} بواسطة ${who}.`,
  },
  movedAway: {
    topic: (to, who) => `نُقل هذا الموضوع إلى ${to} بواسطة ${who}.`,
    message: (to, who) => `نُقلت رسالة من هذا الموضوع إلى ${to} بواسطة ${who}.`,
    messages: (count, to, who) => `نُقلت رسائل (العدد: ${count}) من هذا الموضوع إلى ${to} بواسطة ${who}.`,
  },
  resolved: (who) => `حُدِّد هذا الموضوع كمحلول بواسطة ${who}.`,
  unresolved: (who) => `أُعيد فتح هذا الموضوع بواسطة ${who}.`,
  created: (privacy, who) => `أُنشئت القناة بواسطة ${who}: **${privacy}**. **الوصف:**`,
  announced: (who, links, isOne) => `${isOne ? 'قناة جديدة' : 'قنوات جديدة'} أنشأها ${who}: ${links}.`,
  joined: (who) => `انضمّ ${who} إلى هذه المؤسسة.`,
  archived: (name) => `أُرشفت القناة ${name}.`,
  unarchived: (name) => `لم تعد القناة ${name} مؤرشفة.`,
  renamed: (who, before, after) => `تغيَّر اسم القناة من **${before}** إلى **${after}** بواسطة ${who}.`,
  description: (who) => `تغيَّر وصف هذه القناة بواسطة ${who}.`,
  oldDescription: 'الوصف السابق:',
  newDescription: 'الوصف الجديد:',
  noDescription: 'بلا وصف.',
  privacy: (who, before, after) =>
    `تغيَّر [الوصول](/help/channel-permissions) إلى هذه القناة من **${before}** إلى **${after}** بواسطة ${who}.`,
  privacies: {
    webPublic: 'عامة على الويب',
    public: 'عامة',
    sharedHistory: 'خاصة، مع الرسائل السابقة',
    protectedHistory: 'خاصة، دون الرسائل السابقة',
  },
  posting: (who) => `تغيَّر [من يمكنه الكتابة](/help/channel-posting-policy) في هذه القناة بواسطة ${who}:`,
  before: 'قبل',
  after: 'الآن',
  others: (count) => `وغيرهم (العدد: ${count})`,
  retention: (who) => `تغيَّرت [مدة حفظ الرسائل](/help/message-retention-policy) في هذه القناة بواسطة ${who}:`,
  forever: 'إلى الأبد',
  days: (count) => `بالأيام: ${count}`,
  ofOrganization: (period) => `${period} (إعداد المؤسسة)`,
  kept: 'تُحفظ رسائل هذه القناة من الآن إلى الأبد.',
  deletedAfter: (days) => `تُحذف رسائل هذه القناة من الآن تلقائيًا بعد إرسالها بمدة (بالأيام: ${days}).`,
  topics: (who, before, after) => `تغيَّر إعداد الموضوعات من **${before}** إلى **${after}** بواسطة ${who}.`,
  topicsPolicies: {
    inherit: 'حسب إعداد المؤسسة',
    allow_empty_topic: 'الموضوعات اختيارية',
    disable_empty_topic: 'الموضوعات مطلوبة',
    empty_topic_only: 'بلا موضوعات',
  },
  report: {
    line: (who, author, time, to) =>
      `أبلغ ${who} عن رسالة من ${author}${to === undefined ? '' : ` إلى ${to}`}، أُرسلت ${time}.`,
    reasons: {
      spam: 'رسائل مزعجة',
      harassment: 'مضايقة',
      inappropriate: 'محتوى غير لائق',
      norms: 'مخالفة لقواعد المجتمع',
      other: 'سبب آخر',
    },
    original: 'الرسالة الأصلية',
    originalAt: (link) => `الرسالة الأصلية: ${link}`,
  },
}

const NOTICE_TEXTS: InEachLanguage<NoticeTexts> = {
  ar: ARABIC,
  de: GERMAN,
  en: ENGLISH,
  es: SPANISH,
  fr: FRENCH,
  ja: JAPANESE,
}

/** Returns the texts in the organization's language, which notices in channels have. */
export function noticeTexts({ sql }: Pick<RealmReads, 'sql'>): NoticeTexts {
  return NOTICE_TEXTS[writtenLanguage(realmProperty(sql, 'default_language')) ?? 'en']
}
