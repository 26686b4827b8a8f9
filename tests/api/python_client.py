"""The whole life of a provider with the Python client `modelsignature`, unchanged. Prints each call and what came of it."""

import json
import sys

from modelsignature import ModelSignatureClient
from modelsignature.models import HeadquartersLocation

base_url, api_key, provider_id, domain = sys.argv[1:]
outcomes = {}


def call(name, act):
    try:
        value = act()
        outcomes[name] = "ok"
        return value
    except Exception as error:  # each refusal is an outcome
        outcomes[name] = f"{type(error).__name__}: {error}"
        return None


def client_with(key=None):
    return ModelSignatureClient(api_key=key, base_url=base_url, max_retries=1)


anyone = client_with()
owner = client_with(api_key)

call(
    "register_provider",
    lambda: anyone.register_provider("Newcomer Labs", "owner@newcomer.example", "https://newcomer.example"),
)
call("update_provider", lambda: owner.update_provider(provider_id, trust_center_url=f"https://{domain}/trust"))
call(
    "update_provider_profile",
    lambda: owner.update_provider_profile(
        provider_id,
        description="Maps that answer.",
        founded_year=2019,
        headquarters_location=HeadquartersLocation(city="Lund", country="Sweden"),
        employee_count="11-50",
        support_email=f"help@{domain}",
        github_url="https://github.com/northwind-example",
    ),
)
call(
    "update_provider_compliance",
    lambda: owner.update_provider_compliance(
        provider_id, compliance_certifications=["SOC2"], ai_specific_certifications="ISO/IEC 42001"
    ),
)
version = dict(
    display_name="Atlas Chat",
    api_model_identifier="atlas-chat",
    endpoint=f"https://api.{domain}/v1",
    description="A model that answers questions about maps.",
    model_type="language",
)
first = call(
    "register_model",
    lambda: owner.register_model(
        version="1.0.0",
        family_name="Atlas",
        release_date="2026-01-31",
        training_cutoff="2025-12",
        architecture="transformer",
        context_window=32000,
        model_size_params="7B",
        model_card_url=f"https://{domain}/card",
        capabilities=["text-generation", "reasoning"],
        input_types=["text", "image"],
        output_types=["text"],
        serving_regions=["eu-north"],
        enable_health_monitoring=True,
        tls_version="TLSv1.3",
        **version,
    ),
)
second = call("register_model, next version", lambda: owner.register_model(version="1.1.0", force_new_version=True, **version))
model_id = (second or first).model_id
link = call("create_verification", lambda: owner.create_verification(model_id, "visitor-1"))
call("create_verification, cached", lambda: owner.create_verification(model_id, "visitor-1"))
call("create_verification, with metadata", lambda: owner.create_verification(model_id, "visitor-2", {"chat": "7"}))
call("verify_token", lambda: anyone.verify_token(link.token))
call("get_model_health", lambda: anyone.get_model_health(model_id))
call(
    "report_incident",
    lambda: anyone.report_incident(model_id, "other", "Wrong answer", "It named the wrong river.", severity="low"),
)
call(
    "report_harmful_content",
    lambda: anyone.report_harmful_content(model_id, "It explained how to get past a lock.", link.token),
)
call("report_technical_error", lambda: anyone.report_technical_error(model_id, "It stopped in a sentence.", link.token))
call(
    "report_impersonation",
    lambda: anyone.report_impersonation(model_id, "Another site shows this link.", link.token),
)
call("get_my_incidents", owner.get_my_incidents)
call("get_my_incidents, by status", lambda: owner.get_my_incidents("reported"))
call("get_model_history", lambda: owner.get_model_history(model_id))
call("get_latest_model_version", lambda: anyone.get_latest_model_version(model_id))
call("get_model_community_stats", lambda: anyone.get_model_community_stats(model_id))
call("list_public_models", anyone.list_public_models)
call("list_public_models, of a provider", lambda: anyone.list_public_models(provider_id=provider_id))
call("list_public_providers", anyone.list_public_providers)
call("get_public_model", lambda: anyone.get_public_model(model_id))
call("get_public_provider", lambda: anyone.get_public_provider(provider_id))
call("search", lambda: anyone.search("atlas"))
call("search, models only", lambda: anyone.search("atlas", include_providers=False))
key = call("create_api_key", lambda: owner.create_api_key("Nightly job"))
call("list_api_keys", owner.list_api_keys)
call("create_verification, with the new key", lambda: client_with(key.api_key).create_verification(model_id, "visitor-3"))
call("revoke_api_key", lambda: owner.revoke_api_key(key.id))
call("update_model_visibility", lambda: owner.update_model_visibility(model_id, False))
call("update_model_visibility, public again", lambda: owner.update_model_visibility(model_id, True))
call("archive_model", lambda: owner.archive_model(model_id, "Replaced"))
call("unarchive_model", lambda: owner.unarchive_model(model_id))
linked = call(
    "register_model, of the hub",
    lambda: owner.register_model(
        version="1.2.0", force_new_version=True, huggingface_model_id="acme/atlas-chat", **version
    ),
)
call("sync_huggingface_model", lambda: owner.sync_huggingface_model(linked.model_id))

# What the client makes of a refusal.
for name, refused in {
    "401": lambda: client_with("cs_live_wrong").list_api_keys(),
    "404": lambda: anyone.get_public_model("mdl_06dh0e3x7c9bw4vjz2n8qk5ytm"),
    "409": lambda: owner.register_model(version="1.1.0", **version),
    "422": lambda: owner.register_model(version="1.3.0", **{**version, "endpoint": "not a URL"}),
}.items():
    call(f"refused with {name}", refused)

print(json.dumps(outcomes))
