import { declared } from './declaration.ts'

/** Notifications of Amazon SNS, and alarms of CloudWatch. Source: docs/interface/webhooks.md#services. */
export const awsSns = declared({
  name: 'aws_sns',
  displayName: 'AWS SNS',
  event: '{{@x-amz-sns-message-type | or: Type}}{{? {{Message | json: AlarmName | means: "alarm"}}?}}',
  id: '{{MessageId}}',
  topic: '{{Message | json: AlarmName | or: Subject | or: TopicArn | last: ":"}}',
  events: {
    SubscriptionConfirmation: {
      says: 'AWS asks whether messages of **{{TopicArn | last: ":" | default: "a topic"}}** may come here. {{? [Confirm the subscription]({{SubscribeURL}})?}}',
      topic: '{{TopicArn | last: ":"}}',
    },
    UnsubscribeConfirmation: {
      says: 'Messages of **{{TopicArn | last: ":" | default: "a topic"}}** do not come here any more. {{? [Subscribe again]({{SubscribeURL}})?}}',
      topic: '{{TopicArn | last: ":"}}',
    },
    Notification: {
      says: '{{Subject | default: "A notification"}}',
      quotes: '{{Message}}',
    },
    'Notification alarm': {
      says: '{{Message | json: NewStateValue | as: icon}} Alarm **{{Message | json: AlarmName | default: "without a name"}}** {{Message | json: NewStateValue | as: did}}{{? since {{Message | json: StateChangeTime | time}}?}}',
      quotes: '{{Message | json: AlarmDescription}}',
      facts: {
        Reason: '{{Message | json: NewStateReason}}',
        Region: '{{Message | json: Region}}',
        Account: '{{Message | json: AWSAccountId}}',
        Metric: '{{Message | json: Trigger.MetricName}}',
      },
    },
  },
  tables: {
    icon: { ALARM: ':alert:', OK: ':checkbox:', INSUFFICIENT_DATA: ':question:', '*': '' },
    did: {
      ALARM: 'is on',
      OK: 'is over',
      INSUFFICIENT_DATA: 'has too little data',
      '*': 'has changed',
    },
  },
})
