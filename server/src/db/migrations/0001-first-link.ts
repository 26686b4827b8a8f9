import type { Tx } from '../schema.ts'
import { index, table } from './build.ts'

export const up = async (tx: Tx) => {
  await table(
    tx,
    'providers',
    {
      id: 'text!',
      company_name: 'text',
      description: 'text',
      website: 'text',
      domain: 'text',
      domain_nonce: 'text!',
      domain_verified_at: 'bigint',
      domain_verification_method: 'text',
      email: 'text',
      email_verified_at: 'bigint',
      logo_url: 'text',
      support_email: 'text',
      phone_number: 'text',
      founded_year: 'integer',
      employee_count: 'text',
      hq_city: 'text',
      hq_state: 'text',
      hq_country: 'text',
      github_url: 'text',
      linkedin_url: 'text',
      twitter_url: 'text',
      trust_center_url: 'text',
      industry: 'text',
      specialties: 'text!',
      funding_status: 'text',
      api_documentation_url: 'text',
      support_url: 'text',
      compliance_certifications: 'text!',
      ai_specific_certifications: 'text!',
      opened_count: 'bigint!',
      is_listed: 'integer!',
      created_at: 'bigint!',
      updated_at: 'bigint!',
      deactivated_at: 'bigint',
      deleted_at: 'bigint',
    },
    ['id'],
  )
  await index(tx, 'providers', ['domain'], {
    unique: true,
    where: 'domain_verified_at is not null and deleted_at is null',
    name: 'providers_one_verified_per_domain',
  })

  await table(
    tx,
    'api_keys',
    {
      provider_id: 'text!',
      id: 'text!',
      lookup: 'text!',
      hash: 'text!',
      name: 'text!',
      key_prefix: 'text!',
      created_at: 'bigint!',
      last_used_at: 'bigint',
      revoked_at: 'bigint',
    },
    ['provider_id', 'id'],
  )
  await index(tx, 'api_keys', ['lookup'], { unique: true })

  await table(
    tx,
    'models',
    {
      provider_id: 'text!',
      id: 'text!',
      display_name: 'text!',
      model_name: 'text!',
      api_model_identifier: 'text!',
      version: 'text!',
      version_number: 'integer!',
      description: 'text!',
      endpoint: 'text!',
      model_type: 'text!',
      family_name: 'text',
      model_family_id: 'text',
      language: 'text',
      release_date: 'text',
      training_cutoff: 'text',
      architecture: 'text',
      context_window: 'bigint',
      model_size: 'text',
      model_card_url: 'text',
      github_repo_url: 'text',
      huggingface_url: 'text',
      huggingface_model_id: 'text',
      paper_url: 'text',
      capabilities: 'text!',
      input_types: 'text!',
      output_types: 'text!',
      serving_regions: 'text!',
      tls_version: 'text',
      uptime_sla: 'text',
      avg_response_time: 'text',
      performance_benchmarks: 'text',
      health_check_enabled: 'integer!',
      health_status: 'text!',
      uptime_7d: 'integer',
      model_digest: 'text',
      digest_source: 'text',
      sigstore_bundle_url: 'text',
      bundle_status: 'text!',
      bundle_last_checked: 'bigint',
      bundle_verification_details: 'text',
      require_deployment_proof: 'integer!',
      is_public: 'integer!',
      is_active: 'integer!',
      is_latest: 'integer!',
      is_archived: 'integer!',
      is_demo: 'integer!',
      predecessor_id: 'text',
      successor_id: 'text',
      created_at: 'bigint!',
      first_verified_at: 'bigint',
      superseded_at: 'bigint',
      archived_at: 'bigint',
      archive_reason: 'text',
      deleted_at: 'bigint',
    },
    ['provider_id', 'id'],
  )
  await index(tx, 'models', ['id'])
  await index(tx, 'models', ['provider_id', 'api_model_identifier', 'version_number'], { unique: true })
  await index(tx, 'models', ['provider_id', 'api_model_identifier', 'version'], { unique: true })
  await index(tx, 'models', ['provider_id', 'api_model_identifier'], {
    unique: true,
    where: 'is_latest = 1',
    name: 'models_one_latest',
  })
  // Trust asks for one verified bundle whenever a link is read; without this it would scan all of a provider's models.
  await index(tx, 'models', ['provider_id'], {
    where: "bundle_status = 'verified' and deleted_at is null",
    name: 'models_verified_bundle',
  })
  await index(tx, 'models', ['created_at', 'id'], {
    where: 'is_public = 1 and is_archived = 0 and deleted_at is null',
    name: 'models_public',
  })

  await table(
    tx,
    'deployments',
    {
      provider_id: 'text!',
      id: 'text!',
      spki_fingerprint: 'text!',
      spiffe_id: 'text',
      cloud_identity: 'text',
      labels: 'text!',
      status: 'text!',
      created_at: 'bigint!',
      proven_at: 'bigint',
      proven_by: 'text',
      deleted_at: 'bigint',
    },
    ['provider_id', 'id'],
  )
  await index(tx, 'deployments', ['provider_id', 'spki_fingerprint'], { unique: true, where: 'deleted_at is null' })
  await index(tx, 'deployments', ['spki_fingerprint'], {
    unique: true,
    where: 'proven_at is not null and deleted_at is null',
    name: 'deployments_one_proven_owner',
  })

  await table(
    tx,
    'authorizations',
    { provider_id: 'text!', model_id: 'text!', deployment_id: 'text!', authorized_at: 'bigint!' },
    ['provider_id', 'model_id', 'deployment_id'],
  )
  await index(tx, 'authorizations', ['provider_id', 'deployment_id'])

  await table(
    tx,
    'signing_keys',
    {
      kid: 'text!',
      state: 'text!',
      public_x: 'text!',
      private_encrypted: 'text!',
      created_at: 'bigint!',
      activated_at: 'bigint',
      retired_at: 'bigint',
      compromised_at: 'bigint',
    },
    ['kid'],
  )
  await index(tx, 'signing_keys', ['state'], {
    unique: true,
    where: "state in ('active', 'next')",
    name: 'signing_keys_one_of_each',
  })

  await table(
    tx,
    'verifications',
    {
      provider_id: 'text!',
      id: 'text!',
      model_id: 'text!',
      deployment_id: 'text',
      binding: 'text',
      kid: 'text!',
      code_key: 'text!',
      token_digest: 'text!',
      issued_at: 'bigint!',
      expires_at: 'bigint!',
      provider_domain: 'text',
      model_digest: 'text',
      user_fp: 'text',
      challenge: 'text',
      origin: 'text',
      prompt_hash: 'text',
      metadata: 'text',
      opened_at: 'bigint',
    },
    ['provider_id', 'id'],
  )
  await index(tx, 'verifications', ['code_key'], { unique: true })

  await table(
    tx,
    'bindings',
    {
      provider_id: 'text!',
      verification_id: 'text!',
      bound_by: 'text!',
      response_hash: 'text!',
      token_digest: 'text!',
      bound_at: 'bigint!',
    },
    ['provider_id', 'verification_id', 'bound_by'],
  )

  await table(
    tx,
    'events',
    {
      provider_id: 'text!',
      id: 'text!',
      actor: 'text!',
      action: 'text!',
      subject_type: 'text!',
      subject_id: 'text!',
      at: 'bigint!',
      before: 'text',
      after: 'text',
    },
    ['provider_id', 'id'],
  )

  await table(
    tx,
    'idempotency',
    {
      principal: 'text!',
      key: 'text!',
      request_hash: 'text!',
      state: 'text!',
      status: 'integer',
      response: 'text',
      created_at: 'bigint!',
      expires_at: 'bigint!',
    },
    ['principal', 'key'],
  )
}
