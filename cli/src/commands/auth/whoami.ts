import { quote } from '@countersign/sdk/words'
import { type Declare, example } from '../../args/command.ts'
import { describeDomain } from '../../render/company.ts'
import { facts } from '../../render/output.ts'
import { shownLevel } from '../../render/trust-level.ts'
import { deactivated, keyFactsOf, keyWords, publisherOf, wordsOf } from './auth.ts'

export const declare: Declare = (whoami) => {
  whoami.action(async (context) => {
    const client = await context.connect()
    const me = await client.providers.me()
    const key = await keyFactsOf(client, me.key_id)
    const value = {
      provider_id: me.id,
      domain: me.domain,
      domain_verified: me.domain_verified,
      is_active: me.is_active,
      is_protected: me.is_protected,
      delayed_changes: me.delayed_changes,
      company_name: me.company_name,
      verification_level: me.verification_level,
      trust_level: me.trust_level,
      key_id: me.key_id,
      ...key,
      api_url: context.setting('api_url'),
    }
    const words = wordsOf(context, keyWords(key))
    context.out.print({
      value,
      ids: [me.id],
      text: (paint) =>
        facts(
          [
            ['domain', describeDomain(me) ?? 'none'],
            ['company', me.company_name && quote(me.company_name)],
            ['trust', shownLevel(me.trust_level)],
            ['state', me.is_active ? null : deactivated],
            [
              'account',
              me.is_protected ? 'protected by a passkey' : 'unprotected: no passkey (console: Settings, Security)',
            ],
            ['changes', delayedWords(me)],
            ['provider', me.id],
            ['publisher', publisherOf(context) ?? null],
            ['key', me.key_id],
            ['scopes', words.scopes],
            ['expires', words.expires_at],
            ['registry', value.api_url],
          ],
          paint,
        ),
    })
  })
  example(whoami, 'whoami', 'whoami --json')
}

const delayedWords = ({ delayed_changes: count }: { delayed_changes: number }) =>
  count === 0 ? null : `${count} take effect soon; run: countersign changes list`
