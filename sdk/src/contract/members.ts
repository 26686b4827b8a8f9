import { z } from 'zod'
import { Password, Session } from './auth.ts'
import { type Endpoints, endpoint } from './endpoint.ts'
import { Email, InvitationId, KeyId, PersonId, ProviderId, Time, textOrNull } from './fields.ts'
import { roles } from './roles.ts'
import { routes } from './routes.ts'

/** A person who may act for a provider. */
export const Member = z.strictObject({
  person_id: PersonId,
  email: z.string(),
  role: z.enum(roles),
  joined_at: Time,
  /** Whether it is the caller. */
  is_you: z.boolean(),
  /** When an owner is removed or gets another role: in a protected provider 24 hours later. Null if nothing waits. */
  changes_at: Time.nullable(),
})
export type Member = z.infer<typeof Member>

/** An invitation that waits for an answer. */
export const Invitation = z.strictObject({
  id: InvitationId,
  email: z.string(),
  role: z.enum(roles),
  /** Address of the member who sent it; null for a key. */
  invited_by: textOrNull,
  created_at: Time,
  expires_at: Time,
})
export type Invitation = z.infer<typeof Invitation>

/** What the link of an invitation shows. */
export const InvitationPreview = z.strictObject({
  provider_id: ProviderId,
  company_name: textOrNull,
  /** The proven primary domain. */
  domain: textOrNull,
  /** Another listed provider's domain that has been proven for longer under a similar name. */
  similar_name_domain: textOrNull,
  /** The address that was invited. */
  email: z.string(),
  role: z.enum(roles),
  invited_by: textOrNull,
  expires_at: Time,
  /** Whether the address has an account: then sign in, else choose a password. */
  has_account: z.boolean(),
})
export type InvitationPreview = z.infer<typeof InvitationPreview>

/** A provider for which a person may act. */
export const Membership = z.strictObject({
  provider_id: ProviderId,
  company_name: textOrNull,
  domain: textOrNull,
  role: z.enum(roles),
  /** Whether the call was made for this provider. */
  is_current: z.boolean(),
})
export type Membership = z.infer<typeof Membership>

/** The secret in an invitation's link. */
const Token = z.string().min(1).max(200)

/** Endpoints of members and invitations. */
export const members = {
  list: endpoint(routes.members.list, {
    summary: 'The members of the caller’s provider, and invitations without an answer',
    caller: 'provider',
    whileDeactivated: true,
    response: z.strictObject({ members: z.array(Member), invitations: z.array(Invitation) }),
  }),
  invite: endpoint(routes.members.invite, {
    summary: 'Invite someone by email; the link works for 7 days. Only owners can invite owners',
    caller: 'provider',
    scope: 'full',
    body: z.strictObject({ email: Email, role: z.enum(roles) }),
    response: Invitation,
    status: 201,
  }),
  withdraw: endpoint(routes.members.withdraw, {
    summary: 'Withdraw an invitation; its link stops working',
    caller: 'provider',
    scope: 'full',
    whileDeactivated: true,
    params: z.strictObject({ id: InvitationId }),
    response: Invitation,
  }),
  setRole: endpoint(routes.members.setRole, {
    summary:
      'Change a member’s role, from the next request on; that of another owner 24 hours later if the provider is protected. To make someone an owner, invite them as owner: they must accept',
    caller: 'provider',
    scope: 'full',
    params: z.strictObject({ id: PersonId }),
    body: z.strictObject({ role: z.enum(['admin', 'publisher', 'responder', 'viewer']) }),
    response: Member,
    errors: ['last_owner'],
  }),
  remove: endpoint(routes.members.remove, {
    summary:
      'Remove a member, or leave: their sessions for this provider end and their keys are revoked, except keys that an owner keeps. Another owner of a protected provider is removed 24 hours later',
    caller: 'provider',
    scope: 'full',
    personal: true,
    whileDeactivated: true,
    params: z.strictObject({ id: PersonId }),
    body: z.strictObject({ keep_keys: z.array(KeyId).max(100).default([]) }),
    response: z.strictObject({ member: Member, revoked_keys: z.array(KeyId) }),
    errors: ['last_owner'],
  }),
  preview: endpoint(routes.members.preview, {
    summary: 'What an invitation is for; it stays valid',
    caller: 'public',
    body: z.strictObject({ token: Token }),
    response: InvitationPreview,
    errors: ['code_invalid'],
  }),
  accept: endpoint(routes.members.accept, {
    summary: 'Accept an invitation: signed in with the invited address, or with a password for a new account',
    caller: 'optional',
    scope: 'any',
    body: z.strictObject({ token: Token, password: Password.optional() }),
    response: Session,
    errors: ['code_invalid', 'sign_in_required'],
  }),
  providers: endpoint(routes.members.providers, {
    summary: 'The providers for which the signed-in person may act',
    caller: 'provider',
    personal: true,
    whileDeactivated: true,
    response: z.strictObject({ providers: z.array(Membership) }),
  }),
  use: endpoint(routes.members.use, {
    summary: 'A console key of this session for another of the person’s providers',
    caller: 'provider',
    personal: true,
    whileDeactivated: true,
    params: z.strictObject({ id: ProviderId }),
    body: z.strictObject({}),
    response: z.strictObject({ provider_id: ProviderId, role: z.enum(roles), api_key: z.string() }),
  }),
} satisfies Endpoints<typeof routes.members>
