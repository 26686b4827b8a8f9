import { expect, it } from 'vitest'
import { modelForm } from '#messages/dashboard/model-form.ts'
import { register } from '#messages/dashboard/register.ts'
import { site } from '#messages/site.ts'

it.each([
  [modelForm.success.register, 'Model registered successfully!'],
  [modelForm.success.version, 'New model version created successfully!'],
  [modelForm.success.edit, 'Model updated successfully!'],
  [modelForm.otherVersion, 'Please specify a different version number for the new version'],
  [modelForm.failed.register('why'), 'Failed: why'],
  [modelForm.failed.version('why'), 'Failed to create new version: why'],
  [modelForm.failed.edit('why'), 'Failed to quick edit model: why'],
  [modelForm.failed.unknown, 'Failed to save model. Please try again.'],
  [modelForm.required.authentication.title, 'Authentication Required'],
  [modelForm.required.authentication.text, 'Please log in to register a model'],
  [modelForm.required.provider.title, 'Provider Setup Required'],
  [modelForm.required.provider.text, 'API key is required. Please complete provider registration.'],
  [modelForm.conflict.title, 'Model Already Exists'],
  [modelForm.conflict.newVersion, 'Create new version'],
  [modelForm.conflict.quickEdit, 'Quick edit'],
  [site.layout.setUpFirst, 'Please complete provider registration first'],
  [register.for, 'Registering model for'],
  [register.verified, 'Provider verified'],
  [register.shortName, 'Model name must be at least 2 characters'],
  [
    register.conflict('atlas', '1.0.0'),
    'A model with identifier "atlas" already exists. Current version: 1.0.0. Check "Force New Version" to create a new version that supersedes the existing one.',
  ],
  [register.failed('why'), 'Registration failed: why'],
  [register.failedUnknown, 'Failed to register model. Please try again.'],
  [register.hub.fetch, 'Fetch Model Info'],
  [register.hub.failed, 'Failed to fetch model info from HuggingFace'],
  [register.hub.error, 'Error fetching from HuggingFace'],
  [register.hub.loaded, 'Model info loaded from HuggingFace'],
])('says “%s”', (said, words) => expect(said).toBe(words))
